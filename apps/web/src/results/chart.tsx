import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { BarElement, CategoryScale, Chart, LinearScale } from 'chart.js';
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatCount } from '../base/format.ts';
import { rankStandings } from '../live/ranking.ts';
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
import {
  type ChartInput,
  type ChartRow,
  ChartWords,
  chartRows,
  splitGames,
} from './chart-rows.tsx';
import type { ShownStandings } from './shown-standings.ts';

Chart.register(BarElement, CategoryScale, LinearScale);

const PLUGINS = [endAnimations];

interface Props extends ChartInput, Pick<ShownStandings, 'isRapid'> {
  /** The id of the game that the visitor points at: its bar stands out, and is scrolled to. */
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/**
 * The chart: one horizontal bar per game. Chart.js draws the bars and the axis, the page writes the words.
 * With more games than fit, the rows scroll below the axis, and only those in sight are drawn (SPEC W37).
 */
export function ResultsChart({ isRapid, pointed, onPoint, ...input }: Props) {
  const { standings, yourVote, isSecret, isWon } = input;
  const theme = useChartTheme();
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const [scrolledTo, setScrolledTo] = useState(0);
  const count = Math.min(standings.length, ROWS_THAT_FIT);
  const hidden = standings.length - count;
  const first = Math.min(scrolledTo, hidden);
  const { mostVotes } = rankStandings(standings);
  const { rows, others, scrolled } = useMemo(() => {
    const input = { standings, yourVote, isSecret, isWon };
    const { fixed, others } = splitGames(input);
    const scrolled = others.slice(first, first + count - fixed.length);
    const isInSight = (game: Standing) => fixed.includes(game) || scrolled.includes(game);
    return { rows: chartRows(input, standings.filter(isInSight)), others, scrolled };
  }, [standings, yourVote, isSecret, isWon, first, count]);
  // First the words, then the canvas, then its bars: together, they would keep a slow phone busy for 0.2 s in one go.
  const [step, setStep] = useState(1);
  useEffect(() => {
    if (step < 3) startTransition(() => setStep(step + 1));
  }, [step]);
  const data = useMemo(() => barsOf(step < 3 ? [] : rows, theme), [step, rows, theme]);
  const options = useMemo(
    () => chartOptions(theme, mostVotes, hidden > 0),
    [theme, mostVotes, hidden],
  );

  const goal = others.findIndex(({ id }) => id === pointed);
  useEffect(() => {
    const { current } = scroller;
    if (current && goal >= 0) bringIntoSight(current, goal, hidden, scrolled.length);
  }, [goal, scrolled.length, hidden]);
  useArrival(box, yourVote, onPoint);

  const plot = (
    <div
      ref={box}
      className={styles.chart}
      data-narrow={theme.isNarrow || undefined}
      style={{ gridTemplateRows: `repeat(${count}, minmax(0, 1fr)) ${AXIS}rem` }}
    >
      <div className={styles.canvas}>
        {step > 1 && (
          <Bar
            aria-label={resultTexts.chartLabel}
            data={data}
            options={options}
            plugins={PLUGINS}
            updateMode={isRapid ? 'none' : 'default'}
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

  const [from = 0, to = 0] = visibleRange(standings, rows, scrolled);
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
      >
        <div style={{ blockSize: `calc(100% + ${hidden * ROW}rem)` }}>{plot}</div>
      </section>
      <p className={styles.more}>
        {resultTexts.shown(
          formatCount(from + 1),
          formatCount(to + 1),
          formatCount(standings.length),
        )}
      </p>
    </div>
  );
}

/** The first and the last index of the unbroken range of visible games around the scrolled rows. */
function visibleRange(
  standings: readonly Standing[],
  rows: readonly ChartRow[],
  scrolled: readonly Standing[],
) {
  const isInSight = (index: number) => rows.some(({ id }) => id === standings[index]?.id);
  let [from = 0, to = 0] = [0, -1].map((at) =>
    standings.findIndex(({ id }) => id === scrolled.at(at)?.id),
  );
  while (isInSight(from - 1)) from -= 1;
  while (isInSight(to + 1)) to += 1;
  return [from, to];
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
