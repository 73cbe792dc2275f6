import { resultTexts } from '@goty/shared/result-texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { BarElement, CategoryScale, Chart, LinearScale } from 'chart.js';
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { Bar } from 'react-chartjs-2';
import { formatCount } from '../base/format.ts';
import { type GameView, leadersOf } from '../results/game-view.ts';
import type { Show } from '../results/show.ts';
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
import { type ChartInput, ChartWords, splitFixedGames } from './chart-rows.tsx';

Chart.register(BarElement, CategoryScale, LinearScale);

const PLUGINS = [endAnimations];

interface Props extends ChartInput, Pick<Show, 'isRapid'> {
  /** Whether the vote is decided: then the bars of all games but the winners are dimmed. */
  readonly isWon: boolean;
  /** The id of the game that the visitor points at: its bar stands out, and is scrolled to. */
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/** If there are more games than fit, the rows scroll, and only those in sight are drawn (SPEC W37). */
export function ResultsChart(props: Props) {
  const { games, yourVote, pointed, onPoint } = props;
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const [scrolledTo, setScrolledTo] = useState(0);
  const visible = useVisibleRows(props, scrolledTo);
  const { hidden, scrolled, others } = visible;
  const goal = others.findIndex(({ id }) => id === pointed);
  useEffect(() => {
    const { current } = scroller;
    if (current && goal >= 0) bringIntoSight(current, goal, hidden, scrolled.length);
  }, [goal, scrolled.length, hidden]);
  useArrival(box, yourVote, onPoint);
  const plot = <Plot {...props} {...visible} box={box} />;
  if (hidden === 0) return plot;
  const [from = 0, to = 0] = visibleRange(games, visible);
  return (
    <div>
      {/* The region takes the focus, so that it can be scrolled by keyboard. */}
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
        {resultTexts.shown(formatCount(from + 1), formatCount(to + 1), formatCount(games.length))}
      </p>
    </div>
  );
}

interface PlotProps extends Props, Pick<VisibleRows, 'rows' | 'hidden'> {
  readonly box: RefObject<HTMLDivElement | null>;
}

function Plot({ box, rows, hidden, isRapid, isWon, pointed, onPoint, ...input }: PlotProps) {
  const { games } = input;
  const theme = useChartTheme();
  const step = useSteps();
  const most = leadersOf(games)[0]?.value ?? 0;
  const bars = useMemo(
    () => barsOf(step < 3 ? [] : rows, theme, isWon),
    [step, rows, theme, isWon],
  );
  const options = useMemo(() => chartOptions(theme, most, hidden > 0), [theme, most, hidden]);
  return (
    <div
      ref={box}
      className={styles.chart}
      data-narrow={theme.isNarrow || undefined}
      style={{ gridTemplateRows: `repeat(${games.length - hidden}, minmax(0, 1fr)) ${AXIS}rem` }}
    >
      <div className={styles.canvas}>
        {step > 1 && (
          <Bar
            aria-label={resultTexts.chartLabel}
            data={bars}
            options={options}
            plugins={PLUGINS}
            updateMode={isRapid ? 'none' : 'default'}
          />
        )}
      </div>
      {/* The titles of the axes are swapped on purpose: SPEC W3. */}
      <p className={styles.yAxis} aria-hidden="true">
        {resultTexts.yAxis}
      </p>
      <p className={styles.xAxis} aria-hidden="true">
        {resultTexts.xAxis}
      </p>
      <ChartWords input={input} rows={rows} pointed={pointed} onPoint={onPoint} />
    </div>
  );
}

type VisibleRows = ReturnType<typeof useVisibleRows>;

/**
 * Returns the games with a row (`rows`), those to which the visitor has scrolled (`scrolled`), all that scroll (`others`), and
 * the number of games without a row (`hidden`). `scrolledTo` is in rows.
 */
function useVisibleRows({ games, yourVote, isSecret }: ChartInput, scrolledTo: number) {
  const count = Math.min(games.length, ROWS_THAT_FIT);
  const hidden = games.length - count;
  const first = Math.min(scrolledTo, hidden);
  return useMemo(() => {
    const { fixed, others } = splitFixedGames({ games, yourVote, isSecret });
    const scrolled = others.slice(first, first + count - fixed.length);
    const rows = games.filter((game) => fixed.includes(game) || scrolled.includes(game));
    return { rows, scrolled, others, hidden };
  }, [games, yourVote, isSecret, first, count, hidden]);
}

/** Words, canvas and bars are each rendered on their own, because all at once would keep a slow phone busy for 0.2 s. */
function useSteps(): number {
  const [step, setStep] = useState(1);
  useEffect(() => {
    if (step < 3) startTransition(() => setStep(step + 1));
  }, [step]);
  return step;
}

/** Returns the first and the last index of the unbroken range of visible games around the rows that are scrolled. */
function visibleRange(games: readonly GameView[], { rows, scrolled }: VisibleRows) {
  const isInSight = (index: number) => rows.some(({ id }) => id === games[index]?.id);
  let [from = 0, to = 0] = [0, -1].map((at) =>
    games.findIndex(({ id }) => id === scrolled.at(at)?.id),
  );
  while (isInSight(from - 1)) from -= 1;
  while (isInSight(to + 1)) to += 1;
  return [from, to];
}

/** The chart scrolls to the visitor's vote only once: neither Back nor a reload leads there again (SPEC W117). */
function useArrival(
  box: RefObject<HTMLElement | null>,
  yourVote: string | undefined,
  onPoint: Props['onPoint'],
) {
  useEffect(() => {
    const { pathname, hash } = window.location;
    if (yourVote === undefined || pathname + hash !== voteTexts.yourResult) return;
    window.history.replaceState(window.history.state, '', pathname);
    box.current?.scrollIntoView({ block: 'nearest' });
    onPoint(yourVote);
  }, [box, yourVote, onPoint]);
}

/** Scrolls to a row, by its index among the rows that scroll, unless it is in sight. The box shows `count` of these rows. */
function bringIntoSight(box: HTMLElement, row: number, hidden: number, count: number) {
  const height = heightOfRow(box, hidden);
  const first = Math.round(box.scrollTop / height);
  if (row >= first && row < first + count) return;
  box.scrollTo({ top: (row - Math.floor(count / 2)) * height });
}

/** Returns the height of a row, in pixels. The scroll box moves by one row for each game without a row. */
function heightOfRow({ scrollHeight, clientHeight }: HTMLElement, hidden: number): number {
  return (scrollHeight - clientHeight) / hidden;
}
