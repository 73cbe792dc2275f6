import type { Standing } from '@goty/shared/game';
import { ResultsChart } from './results-chart.tsx';
import { ResultsLegend } from './results-legend.tsx';
import { ResultsTable } from './results-table.tsx';
import { StandingStatus } from './standing-status.tsx';

/** The standing as chart, legend, table and sentence. Loaded when there is one: Chart.js comes with it. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ standings }: { readonly standings: readonly Standing[] }) {
  return (
    <>
      <ResultsChart standings={standings} />
      <ResultsLegend standings={standings} />
      <ResultsTable standings={standings} />
      <StandingStatus standings={standings} />
    </>
  );
}
