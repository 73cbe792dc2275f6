import { resultTexts } from '@goty/shared/result-texts';
import { BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatCount } from '../../base/format.ts';
import { barLabels } from './bar-labels.ts';
import { chartConfig } from './chart-config.ts';
import type { ChartInput } from './chart-view.ts';
import styles from './results-chart.module.css';
import { useChartTheme } from './use-chart-theme.ts';
import { zoom } from './zoom.ts';

Chart.register(BarElement, CategoryScale, LinearScale, Tooltip);

/** The height of the chart that SPEC W3 promises, in pixels. */
const CHART_HEIGHT = 300;
/** At the default text size, in pixels. */
const AXIS_HEIGHT = 48;
const ROW_HEIGHT = 28;

interface Props extends Required<Omit<ChartInput, 'theme' | 'rows'>> {
  /** Whether updates follow one another without a break: an animation would never end. */
  readonly isBurst: boolean;
  /** The id of the game whose bar stands out and is scrolled to. */
  readonly selected: string | undefined;
  /** Called with the id of the game that the visitor points at. */
  readonly onPoint: (id: string | undefined) => void;
}

/**
 * The chart: one horizontal bar per game. With more games than fit, the rows scroll below the axes:
 * only those in sight are drawn, since a canvas has a maximum size (SPEC W37).
 */
export function ResultsChart(props: Props) {
  const { standings, earlier, isBurst, yourVote, isWon, selected, onPoint } = props;
  const theme = useChartTheme();
  const scroller = useRef<HTMLElement>(null);
  const chartRef = useRef<Chart<'bar', number[], string>>(null);
  const [scrolledTo, setScrolledTo] = useState(0);
  const height = ROW_HEIGHT * theme.textScale;
  const rowsThatFit = Math.floor((CHART_HEIGHT - AXIS_HEIGHT * theme.textScale) / height);
  const count = Math.min(standings.length, Math.max(1, rowsThatFit));
  const hidden = standings.length - count;
  const first = Math.min(scrolledTo, hidden);

  const { data, options } = useMemo(() => {
    const config = chartConfig({
      standings,
      theme,
      rows: { first, count },
      earlier,
      yourVote,
      isWon,
    });
    config.options.onHover = (_event, [element]) =>
      onPoint(element && standings[first + element.index]?.id);
    return config;
  }, [standings, theme, first, count, earlier, yourVote, isWon, onPoint]);

  const at = standings.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (at >= 0) scroller.current?.scrollTo({ top: (at - Math.floor(count / 2)) * height });
  }, [at, count, height]);
  useEffect(() => {
    const chart = chartRef.current;
    if (!chart || at < 0) return;
    highlight(chart, at >= first && at < first + count ? at - first : undefined);
    return () => highlight(chart, undefined);
  }, [at, first, count, data]);

  const chart = (
    <div className={styles.stage}>
      <Bar
        ref={chartRef}
        aria-label={resultTexts.chartLabel}
        data={data}
        options={options}
        // Chart.js reports no hover outside its axes, where every pointer leaves.
        onMouseLeave={() => onPoint(undefined)}
        plugins={[barLabels, zoom]}
        updateMode={isBurst ? 'none' : 'default'}
      />
    </div>
  );
  if (hidden === 0) return chart;

  return (
    <div>
      {/* Focusable, to scroll by keyboard. */}
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={resultTexts.scrollable}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be focusable
        tabIndex={0}
        onScroll={({ currentTarget }) =>
          setScrolledTo(Math.round(currentTarget.scrollTop / height))
        }
      >
        <div style={{ blockSize: `calc(100% + ${hidden * height}px)` }}>{chart}</div>
      </section>
      <p className={styles.more}>
        {resultTexts.shown(
          formatCount(first + 1),
          formatCount(first + count),
          formatCount(standings.length),
        )}
      </p>
    </div>
  );
}

/** Makes the bar of a game stand out. Without an index, no bar stands out. */
function highlight(chart: Chart<'bar', number[], string>, index: number | undefined) {
  // React may have removed the chart before it ends the effect.
  if (!chart.canvas) return;
  chart.setActiveElements(index === undefined ? [] : [{ datasetIndex: 0, index }]);
  chart.update('none');
}
