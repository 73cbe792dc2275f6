import type { Standing } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { resultTexts } from '@goty/shared/result-texts';
import { voteTexts } from '@goty/shared/vote-texts';
import {
  type ComponentType,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import type { LastVote } from '../base/last-vote.ts';
import type { Observable } from '../base/observable.ts';
import { useObservable } from '../base/use-observable.ts';
import type { LiveResults } from '../live/live-results.ts';
import type { VoteStatus } from '../live/vote-status.ts';
import { screenUrl } from '../share/share.ts';
import { BarsSkeleton } from './chart-skeleton.tsx';
import { forgetResetVote } from './forget-reset-vote.ts';
import { headline } from './headline.ts';
import styles from './results.module.css';
import { ResultsLegend } from './results-legend.tsx';
import { ResultsTable } from './results-table.tsx';
import { StandingsHeadline } from './standings-headline.tsx';
import { StandingsStatus } from './standings-status.tsx';
import { useThrottled } from './use-throttled.ts';

/** Chart.js is most of the JavaScript. Headline and legend do not wait for it. */
const ResultsChart = lazy(async () => {
  const { ResultsChart } = await import('./chart/results-chart.tsx');
  return { default: ResultsChart };
});
const QrCode = optional(async () => {
  await untilWide();
  return (await import('../share/qr-code.tsx')).QrCode;
});
const ShareButton = optional(async () => (await import('../share/share-button.tsx')).ShareButton);

/** Loads what the results are complete without. */
function optional<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: () => null };
    }
  });
}

/** Resolves once there is room for the QR code. Drawing it takes a phone 0.1 s. */
function untilWide(): Promise<void> {
  const wide = window.matchMedia('(min-width: 100rem)');
  return new Promise((resolve) => {
    if (wide.matches) resolve();
    else wide.addEventListener('change', () => resolve(), { once: true });
  });
}

// Ten updates a second would leave a slow phone no time (SPEC W39).
const CHART_INTERVAL_MS = 500;
const LEGEND_INTERVAL_MS = 1_000;
/** Sighted visitors do not see the table, and a screen reader would lose its place in it. */
const TABLE_INTERVAL_MS = 2_000;
/** How long the votes that have arrived are shown as '+12' (SPEC W63). */
const GAIN_MS = 2_000;

const NONE: readonly Standing[] = [];

export interface ResultsProps {
  readonly live: LiveResults;
  /** The id of the game that this browser voted for last. */
  readonly lastVote: Pick<LastVote, 'get' | 'subscribe' | 'forget'>;
  readonly voteStatus: Observable<VoteStatus>;
  /** The nominees, for their covers. */
  readonly nominees: {
    readonly state: Observable<{ readonly nominees?: readonly Nominee[] }>;
    ensureLoaded(): void;
  };
}

/** The standings in every form. Loaded late, since goty does without them. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ live, voteStatus, nominees, lastVote }: ResultsProps) {
  const { standings, isBurst } = useThrottled(live.state, CHART_INTERVAL_MS);
  const earlier = useThrottled(live.state, GAIN_MS, true).standings;
  const legend = useThrottled(live.state, LEGEND_INTERVAL_MS).standings;
  const table = useThrottled(live.state, TABLE_INTERVAL_MS).standings;
  // Not clocks, but an order: a long list would take the time of the chart's frames.
  const legendAfterChart = useDeferredValue(legend, NONE);
  const tableAfterChart = useDeferredValue(table, NONE);
  const covers = useCovers(nominees);
  const lastVoteId = useObservable(lastVote);
  const status = useObservable(voteStatus);
  const isOver = status.phase === 'closed';
  // If the chosen game has no votes, this one is gone as well: the operator has reset the vote.
  const choice = standings.find(({ id, votos }) => id === lastVoteId && votos > 0);
  const yourVote = choice?.id;
  useEffect(() => forgetResetVote(live.state, lastVote), [live, lastVote]);
  const [selected, setSelected] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  return (
    <>
      <StandingsHeadline standings={standings} voteStatus={status} />
      <div className={styles.stage}>
        <Suspense fallback={<BarsSkeleton />}>
          <ResultsChart
            standings={standings}
            earlier={earlier}
            isBurst={isBurst}
            yourVote={yourVote}
            selected={selected}
            onPoint={setPointed}
          />
        </Suspense>
        {status.phase === 'open' && (
          <aside className={styles.hall}>
            <p>{resultTexts.scan}</p>
            <Suspense>
              <QrCode />
            </Suspense>
            <p className={styles.address}>{screenUrl('/goty').replace(/^https?:\/\//, '')}</p>
          </aside>
        )}
      </div>
      <ResultsLegend
        standings={legendAfterChart}
        covers={covers}
        yourVote={yourVote}
        pointed={pointed}
        onSelect={setSelected}
      />
      {/* Below the legend: before that, it would move when the legend comes. */}
      {legendAfterChart === NONE || (
        <Suspense>
          <ShareButton
            path={isOver ? '/inicio' : '/goty'}
            text={
              isOver
                ? headline(standings, isOver).title
                : choice
                  ? voteTexts.voted(choice.name)
                  : voteTexts.invitation
            }
          />
        </Suspense>
      )}
      <ResultsTable standings={tableAfterChart} />
      <StandingsStatus state={live.state} phase={status.phase} />
    </>
  );
}

/** Returns the addresses of the covers by the ids of their games, once the list is loaded. */
function useCovers({ state, ensureLoaded }: ResultsProps['nominees']) {
  const { nominees = [] } = useObservable(state);
  useEffect(ensureLoaded, [ensureLoaded]);
  return useMemo(() => new Map(nominees.map(({ id, url }) => [id, url])), [nominees]);
}
