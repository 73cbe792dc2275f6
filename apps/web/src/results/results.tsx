import type { Standing } from '@goty/shared/game';
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
import { useObservable } from '../base/use-observable.ts';
import { forgetResetVote } from '../live/forget-reset-vote.ts';
import type { LiveResults } from '../live/live-results.ts';
import { pace } from '../live/pace.ts';
import { votingUrl } from '../share/share.ts';
import { ResultsChart } from './chart/results-chart.tsx';
import type { ResultsSources } from './inicio-screen.tsx';
import styles from './results.module.css';
import { ResultsLegend } from './results-legend.tsx';
import { ResultsTable } from './results-table.tsx';
import { StandingsHeadline } from './standings-headline.tsx';
import { StandingsStatus } from './standings-status.tsx';
import { useThrottled } from './use-throttled.ts';

// Loaded after the chart, which is more urgent, and complete without them.
const QrCode = lazy<ComponentType>(async () => {
  try {
    await untilWide();
    const { QrCode } = await import('../share/qr-code.tsx');
    return { default: QrCode };
  } catch {
    return NOTHING;
  }
});
const ShareButton = lazy<ComponentType<{ readonly text: string }>>(async () => {
  try {
    const { ShareButton } = await import('../share/share-button.tsx');
    return { default: ShareButton };
  } catch {
    return NOTHING;
  }
});
const NOTHING = { default: () => null };

/** Resolves once there is room for the QR code (results.module.css). To draw it takes a phone 0.1 s. */
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
/** Nobody sees the table, and a screen reader would lose its place. */
const TABLE_INTERVAL_MS = 2_000;

const NONE: readonly Standing[] = [];

interface Props extends ResultsSources {
  readonly live: LiveResults;
}

/** The standings with headline, chart, legend, table and status. Loaded lazily: it has Chart.js. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ live, voteStatus, nominees, lastVote }: Props) {
  const paced = useMemo(() => pace(live.state, CHART_INTERVAL_MS), [live]);
  const { state, isBurst } = useObservable(paced);
  const { standings = NONE } = state;
  // The chart comes first: a long list would take its frames.
  const listed = useDeferredValue(useThrottled(standings, LEGEND_INTERVAL_MS), NONE);
  const tabled = useDeferredValue(useThrottled(standings, TABLE_INTERVAL_MS), NONE);
  const covers = useCovers(nominees);
  const lastVoteId = useObservable(lastVote);
  const status = useObservable(voteStatus);
  const isOver = status.phase === 'closed';
  // A game without votes has lost this one, too: the operator has reset the vote.
  const choice = standings.find(({ id, votos }) => id === lastVoteId && votos > 0);
  const yourVote = choice?.id;
  useEffect(() => forgetResetVote(live.state, lastVote), [live, lastVote]);
  const [selected, setSelected] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  return (
    <>
      <StandingsHeadline standings={standings} voteStatus={status} />
      <div className={styles.stage}>
        <ResultsChart
          standings={standings}
          isBurst={isBurst}
          yourVote={yourVote}
          selected={selected}
          onPoint={setPointed}
        />
        {isOver || (
          <aside className={styles.hall}>
            <p>{resultTexts.scan}</p>
            <Suspense>
              <QrCode />
            </Suspense>
            <p className={styles.address}>{votingUrl().replace(/^https?:\/\//, '')}</p>
          </aside>
        )}
      </div>
      <ResultsLegend
        standings={listed}
        covers={covers}
        yourVote={yourVote}
        pointed={pointed}
        onSelect={setSelected}
      />
      {isOver || (
        <Suspense>
          <ShareButton text={choice ? voteTexts.voted(choice.name) : voteTexts.invitation} />
        </Suspense>
      )}
      <ResultsTable standings={tabled} />
      <StandingsStatus standings={standings} phase={status.phase} />
    </>
  );
}

/** Returns the addresses of the covers by the ids of their games, once the list is loaded. */
function useCovers({ state, ensureLoaded }: ResultsSources['nominees']) {
  const { nominees = [] } = useObservable(state);
  useEffect(ensureLoaded, [ensureLoaded]);
  return useMemo(() => new Map(nominees.map(({ id, url }) => [id, url])), [nominees]);
}
