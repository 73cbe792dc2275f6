import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { BarElement, CategoryScale, Chart, LinearScale } from 'chart.js';
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatCount } from '../base/format.ts';
import { rank } from '../live/ranking.ts';
import styles from './chart.module.css';
import {
  AXIS,
  barsOf,
  chartOptions,
  endAnimations,
  ROW,
  ROWS_THAT_FIT,
  useChartTheme,
} from './chart-canvas.ts';
import { type ChartInput, ChartWords, chartRows } from './chart-rows.tsx';
import type { Snapshot } from './snapshot.ts';

Chart.register(BarElement, CategoryScale, LinearScale);

const PLUGINS = [endAnimations];

interface Props extends ChartInput, Pick<Snapshot, 'isBurst'> {
  /** The id of the game that the visitor points at: its bar stands out, and is scrolled to. */
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/**
 * The chart: one horizontal bar per game. Chart.js draws the bars and the axis, the page writes the words.
 * With more games than fit, the rows scroll below the axis, and only those in sight are drawn (SPEC W37).
 */
export function ResultsChart({ isBurst, pointed, onPoint, ...input }: Props) {
  const { standings, yourVote, isSecret, isWon } = input;
  const theme = useChartTheme();
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const chart = useRef<Chart<'bar', number[], string>>(null);
  const [scrolledTo, setScrolledTo] = useState(0);
  /** Whether the visitor has scrolled: until then, the chart follows the leader in a hall. */
  const [isScrolled, setIsScrolled] = useState(false);
  const count = Math.min(standings.length, ROWS_THAT_FIT);
  const hidden = standings.length - count;
  const first = Math.min(scrolledTo, hidden);
  const { most, leaders } = rank(standings);
  const rows = useMemo(
    () => chartRows({ standings, yourVote, isSecret, isWon }, first, count),
    [standings, yourVote, isSecret, isWon, first, count],
  );
  // First the words, then the canvas, then its bars: together, they would keep a slow phone busy for 0.2 s in one go.
  const [step, setStep] = useState(1);
  useEffect(() => {
    if (step < 3) startTransition(() => setStep(step + 1));
  }, [step]);
  const data = useMemo(() => barsOf(step < 3 ? [] : rows, theme), [step, rows, theme]);
  const options = useMemo(() => chartOptions(theme, most, hidden > 0), [theme, most, hidden]);

  const followed = theme.isWide && !isSecret && !isScrolled ? leaders[0]?.id : undefined;
  const goal = standings.findIndex(({ id }) => id === (pointed ?? followed));
  useEffect(() => {
    if (scroller.current && goal >= 0) bringIntoSight(scroller.current, goal, hidden, count);
  }, [goal, count, hidden]);
  useArrival(box, yourVote, onPoint);
  // Paper has another width.
  useEffect(() => {
    if (theme.isPrinting) chart.current?.resize();
  }, [theme.isPrinting]);

  const plot = (
    <div
      ref={box}
      className={styles.chart}
      data-narrow={theme.isNarrow || undefined}
      data-printing={theme.isPrinting || undefined}
      style={{ gridTemplateRows: `repeat(${count}, minmax(0, 1fr)) ${AXIS}rem` }}
    >
      <div className={styles.canvas}>
        {step > 1 && (
          <Bar
            ref={chart}
            aria-label={resultTexts.chartLabel}
            data={data}
            options={options}
            plugins={PLUGINS}
            updateMode={isBurst ? 'none' : 'default'}
          />
        )}
      </div>
      {/* Swapped on purpose: SPEC W3. */}
      <p className={styles.yAxis} aria-hidden="true">
        {resultTexts.yAxis}
      </p>
      <p className={styles.xAxis} aria-hidden="true">
        {resultTexts.xAxis}
      </p>
      <ChartWords input={input} rows={rows} pointed={pointed} onPoint={onPoint} />
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
          setScrolledTo(Math.round(box.scrollTop / heightOfRow(box, hidden)))
        }
        onWheel={() => setIsScrolled(true)}
        onPointerDown={() => setIsScrolled(true)}
        onKeyDown={() => setIsScrolled(true)}
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

/** Whoever comes from a vote finds its bar, once: neither Back nor a reload leads there again (SPEC W117). */
function useArrival(
  box: RefObject<HTMLElement | null>,
  yourVote: string | undefined,
  onPoint: Props['onPoint'],
) {
  useEffect(() => {
    const { pathname, hash } = window.location;
    if (yourVote === undefined || pathname + hash !== texts.goty.yourResult) return;
    window.history.replaceState(window.history.state, '', pathname);
    box.current?.scrollIntoView({ block: 'nearest' });
    onPoint(yourVote);
  }, [box, yourVote, onPoint]);
}

/** Scrolls to a row that is out of sight. */
function bringIntoSight(box: HTMLElement, row: number, hidden: number, count: number) {
  const height = heightOfRow(box, hidden);
  const first = Math.round(box.scrollTop / height);
  if (row >= first && row < first + count) return;
  box.scrollTo({ top: (row - Math.floor(count / 2)) * height });
}

/** In pixels: a scroll box moves by one for each row that is hidden. */
function heightOfRow({ scrollHeight, clientHeight }: HTMLElement, hidden: number): number {
  return (scrollHeight - clientHeight) / hidden;
}
