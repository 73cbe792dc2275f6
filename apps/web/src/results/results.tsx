import type { Standing } from '@goty/shared/game';
import { useDeferredValue } from 'react';
import { ResultsChart } from './results-chart.tsx';
import { ResultsLegend } from './results-legend.tsx';
import { ResultsTable } from './results-table.tsx';
import { StandingsStatus } from './standings-status.tsx';
import { useThrottled } from './use-throttled.ts';

/** Ten updates a second would leave a slow phone no time to animate them (SPEC W39). */
const INTERVAL_MS = 500;

/** The standings as chart, legend, table and status. Loaded lazily, as it includes Chart.js. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ standings }: { readonly standings: readonly Standing[] }) {
  const shown = useThrottled(standings, INTERVAL_MS);
  // The chart comes first: a long list would take its frames.
  const later = useDeferredValue(shown);
  return (
    <>
      <ResultsChart standings={shown} />
      <ResultsLegend standings={later} />
      <ResultsTable standings={later} />
      <StandingsStatus standings={standings} />
    </>
  );
}
