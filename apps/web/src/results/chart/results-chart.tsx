import { resultTexts } from '@goty/shared/result-texts';
import { BarElement, CategoryScale, Chart, LinearScale } from 'chart.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatCount } from '../../base/format.ts';
import {
  AXIS,
  axisEnd,
  barsOf,
  chartOptions,
  endAnimations,
  ROW,
  ROWS_THAT_FIT,
} from './chart-config.ts';
import { type ChartInput, chartRows } from './chart-rows.ts';
import { ChartWords } from './chart-words.tsx';
import styles from './results-chart.module.css';
import { useChartTheme } from './use-chart-theme.ts';

Chart.register(BarElement, CategoryScale, LinearScale);

const PLUGINS = [endAnimations];

interface Props extends ChartInput {
  /** Whether updates follow one another without a break: an animation would never end. */
  readonly isBurst: boolean;
  /** The id of the game whose bar stands out and is scrolled to. */
  readonly selected: string | undefined;
  /** Called with the id of the game that the visitor points at. */
  readonly onPoint: (id: string | undefined) => void;
}

/**
 * The chart: one horizontal bar per game. Chart.js draws the bars and the axis, the page writes the words.
 * With more games than fit, the rows scroll below the axis, and only those in sight are drawn (SPEC W37).
 */
export function ResultsChart({ isBurst, selected, onPoint, ...input }: Props) {
  const { standings, earlier, yourVote, isWon } = input;
  const theme = useChartTheme();
  const scroller = useRef<HTMLElement>(null);
  const chart = useRef<Chart<'bar', number[], string>>(null);
  const [scrolledTo, setScrolledTo] = useState(0);
  const count = Math.min(standings.length, ROWS_THAT_FIT);
  const hidden = standings.length - count;
  const first = Math.min(scrolledTo, hidden);
  const most = Math.max(0, ...standings.map(({ votos }) => votos));
  const rows = useMemo(
    () => chartRows({ standings, earlier, yourVote, isWon }, first, count),
    [standings, earlier, yourVote, isWon, first, count],
  );
  const data = useMemo(() => barsOf(rows, theme), [rows, theme]);
  const options = useMemo(() => chartOptions(theme, most, hidden > 0), [theme, most, hidden]);

  const at = standings.findIndex(({ id }) => id === selected);
  useEffect(() => {
    const box = scroller.current;
    if (box && at >= 0)
      box.scrollTo({ top: (at - Math.floor(count / 2)) * rowHeight(box, hidden) });
  }, [at, count, hidden]);
  // Paper has another width.
  useEffect(() => {
    if (theme.isPrinting) chart.current?.resize();
  }, [theme.isPrinting]);

  const plot = (
    <div
      className={styles.chart}
      data-narrow={theme.isNarrow || undefined}
      data-printing={theme.isPrinting || undefined}
      style={{ gridTemplateRows: `repeat(${count}, minmax(0, 1fr)) ${AXIS}rem` }}
    >
      <div className={styles.canvas}>
        <Bar
          ref={chart}
          aria-label={resultTexts.chartLabel}
          data={data}
          options={options}
          plugins={PLUGINS}
          updateMode={isBurst ? 'none' : 'default'}
        />
      </div>
      {/* Swapped on purpose: SPEC W3. */}
      <p className={styles.yAxis} aria-hidden="true">
        {resultTexts.yAxis}
      </p>
      <p className={styles.xAxis} aria-hidden="true">
        {resultTexts.xAxis}
      </p>
      <ChartWords
        input={input}
        rows={rows}
        end={axisEnd(most)}
        selected={selected}
        onPoint={onPoint}
      />
    </div>
  );
  if (hidden === 0) return plot;

  return (
    <div>
      {/* Focusable, to scroll by keyboard. */}
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={resultTexts.scrollable}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be focusable
        tabIndex={0}
        onScroll={({ currentTarget: box }) =>
          setScrolledTo(Math.round(box.scrollTop / rowHeight(box, hidden)))
        }
      >
        <div style={{ blockSize: `calc(100% + ${hidden * ROW}rem)` }}>{plot}</div>
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

/** In pixels: a scroll box moves by one for each row that is hidden. */
function rowHeight({ scrollHeight, clientHeight }: HTMLElement, hidden: number): number {
  return (scrollHeight - clientHeight) / hidden;
}
