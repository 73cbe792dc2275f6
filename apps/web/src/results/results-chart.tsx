import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useMemo } from 'react';
import { Bar } from 'react-chartjs-2';
import { AXIS_HEIGHT, CHART_HEIGHT, chartConfig, ROW_HEIGHT } from './chart/chart-config.ts';
import { endLabels } from './chart/end-labels.ts';
import { useChartTheme } from './chart/use-chart-theme.ts';
import styles from './results-chart.module.css';

Chart.register(BarElement, CategoryScale, LinearScale, Tooltip);

/** The chart: one horizontal bar per game. */
export function ResultsChart({ standings }: { readonly standings: readonly Standing[] }) {
  const theme = useChartTheme();
  const { data, options } = useMemo(() => chartConfig(standings, theme), [standings, theme]);
  const height = standings.length * ROW_HEIGHT + AXIS_HEIGHT;
  const isScrolling = height > CHART_HEIGHT;
  return (
    // With many games the chart scrolls, and has to be focusable to scroll by keyboard.
    <section
      className={styles.chart}
      aria-label={isScrolling ? texts.inicio.scrollable : undefined}
      tabIndex={isScrolling ? 0 : undefined}
    >
      <div className={styles.rows} style={{ minHeight: height }}>
        <Bar
          aria-label={texts.inicio.chartLabel}
          data={data}
          options={options}
          plugins={[endLabels]}
        />
      </div>
    </section>
  );
}
