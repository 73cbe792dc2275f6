import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useMemo, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { chartConfig } from './chart/chart-config.ts';
import { endLabels } from './chart/end-labels.ts';
import { rowHeight, rowsThatFit } from './chart/layout.ts';
import { useChartTheme } from './chart/use-chart-theme.ts';
import { formatCount } from './format.ts';
import styles from './results-chart.module.css';

Chart.register(BarElement, CategoryScale, LinearScale, Tooltip);

interface Props {
  readonly standings: readonly Standing[];
}

/**
 * The chart: one horizontal bar per game. With more games than fit, the rows scroll below the axes:
 * only those in sight are drawn, since a canvas has a maximum size (SPEC W37).
 */
export function ResultsChart({ standings }: Props) {
  const theme = useChartTheme();
  const [scrolledTo, setScrolledTo] = useState(0);
  const count = Math.min(standings.length, rowsThatFit(theme.fontSize));
  const hidden = standings.length - count;
  const first = Math.min(scrolledTo, hidden);
  const { data, options } = useMemo(
    () => chartConfig(standings, theme, { first, count }),
    [standings, theme, first, count],
  );
  const chart = (
    <div className={styles.stage}>
      <Bar
        aria-label={texts.inicio.chartLabel}
        data={data}
        options={options}
        plugins={[endLabels]}
      />
    </div>
  );
  if (hidden === 0) return chart;

  const height = rowHeight(theme.fontSize);
  return (
    <div>
      {/* Focusable, to scroll by keyboard. */}
      <section
        className={styles.scroller}
        aria-label={texts.inicio.scrollable}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be focusable
        tabIndex={0}
        onScroll={({ currentTarget }) =>
          setScrolledTo(Math.round(currentTarget.scrollTop / height))
        }
      >
        <div className={styles.rows} style={{ blockSize: `calc(100% + ${hidden * height}px)` }}>
          {chart}
        </div>
      </section>
      <p className={styles.more}>
        {texts.inicio.shown(
          formatCount(first + 1),
          formatCount(first + count),
          formatCount(standings.length),
        )}
      </p>
    </div>
  );
}
