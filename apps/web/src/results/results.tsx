import type { Standing } from '@goty/shared/game';
import { ResultsChart } from './results-chart.tsx';
import { ResultsLegend } from './results-legend.tsx';
import { ResultsTable } from './results-table.tsx';
import { StandingsStatus } from './standings-status.tsx';

/** The standings as chart, legend, table and status. Loaded lazily, as it includes Chart.js. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ standings }: { readonly standings: readonly Standing[] }) {
  return (
    <>
      <ResultsChart standings={standings} />
      <ResultsLegend standings={standings} />
      <ResultsTable standings={standings} />
      <StandingsStatus standings={standings} />
    </>
  );
}
