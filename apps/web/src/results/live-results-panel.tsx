import { texts } from '@goty/shared/texts';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { optional } from '../base/lazy/optional.ts';
import { ScreenMessage } from '../base/screen-message.tsx';
import type { VoteStatus } from '../live/vote-status.ts';
import { BarsSkeleton, ChartSkeleton } from './chart-skeleton.tsx';
import styles from './live-results-panel.module.css';
import type { ResultsProps } from './results.tsx';
import { useSnapshot } from './use-snapshot.ts';

const Results = lazy(() => import('./results.tsx'));
const VotesTotal = optional(async () => (await import('./total/votes-total.tsx')).VotesTotal);

interface Props {
  readonly voteStatus: VoteStatus;
  readonly results: ResultsProps;
}

/** The live standings as chart, legend and table, or a loading, empty or offline state. */
export function LiveResultsPanel({ voteStatus, results }: Props) {
  const { live, watch, refresh } = results;
  const { resultPhase: phase } = voteStatus;
  const { get, subscribe } = live;
  const status = useSyncExternalStore(
    subscribe,
    () => get().status,
    // While React takes over the HTML, which has the skeleton, standings may already be there.
    () => 'loading' as const,
  );
  const shown = useSnapshot(live, voteStatus);
  // The snapshot comes later: until it is rendered, standings that are there are not none (SPEC W92).
  const isEmpty = useSyncExternalStore(
    subscribe,
    () => !get().standings?.length,
    () => true,
  );
  const isShown = shown.standings.length > 0;
  // Who comes back gets everything at once: the browser returns to their place in the first frame (SPEC W22).
  const [isBack] = useState(isShown);
  useEffect(watch, [watch]);
  const { inicio, states } = texts;

  if (!isEmpty || status === 'loading') {
    const said = status === 'live' ? phase : status;
    return (
      <div className={styles.panel}>
        <div className={`row ${styles.status}`} data-status={said}>
          <p role="status">{inicio.status[said]}</p>
          {phase !== 'before' && isShown && (
            <Suspense>
              <VotesTotal standings={shown.standings} live={live} voteStatus={voteStatus} />
            </Suspense>
          )}
        </div>
        <Suspense fallback={<ChartSkeleton />}>
          {isShown ? (
            <Results {...results} {...shown} isBack={isBack} chartSkeleton={<BarsSkeleton />} />
          ) : (
            <ChartSkeleton />
          )}
        </Suspense>
      </div>
    );
  }
  // No connection must not look like no games (SPEC W11).
  if (status === 'offline') {
    return (
      <ScreenMessage
        title={inicio.offlineEmpty}
        hint={states.failures.unreachable}
        action={{ label: states.retry, run: refresh }}
      />
    );
  }
  return <ScreenMessage title={states.empty} hint={states.emptyHint} />;
}
