import { type Standing, toChartData } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useMemo } from 'react';
import { Bar } from 'react-chartjs-2';
import { chartConfig, ROW_HEIGHT } from '../chart/chart-config.ts';
import { endLabels } from '../chart/end-labels.ts';
import { useChartTheme } from '../chart/use-chart-theme.ts';
import styles from './results-chart.module.css';

Chart.register(BarElement, CategoryScale, LinearScale, Tooltip);

/** One horizontal bar for each game. */
export function ResultsChart({ standings }: { readonly standings: readonly Standing[] }) {
  const theme = useChartTheme();
  const { data, options } = useMemo(
    () => chartConfig(toChartData(standings), theme),
    [standings, theme],
  );
  return (
    <div className={styles.chart}>
      <div className={styles.rows} style={{ minHeight: standings.length * ROW_HEIGHT }}>
        <Bar
          aria-label={texts.inicio.chartLabel}
          data={data}
          options={options}
          plugins={[endLabels]}
        />
      </div>
    </div>
  );
}
