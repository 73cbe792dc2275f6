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
  readonly onRetry: () => void;
}

/** The live standings as chart, legend and table, or a loading, empty, offline or failed state. */
export function LiveResultsPanel({ voteStatus, results, onRetry }: Props) {
  const { live } = results;
  const { resultPhase: phase } = voteStatus;
  const { get, subscribe } = live.state;
  const status = useSyncExternalStore(
    subscribe,
    () => get().status,
    // While React takes over the HTML, which has the skeleton, standings may already be there.
    () => 'loading' as const,
  );
  const shown = useSnapshot(live.state, voteStatus);
  // The snapshot comes later: until it is rendered, standings that are there are not none (SPEC W92).
  const isEmpty = useSyncExternalStore(
    subscribe,
    () => !get().standings?.length,
    () => true,
  );
  const isShown = shown.standings.length > 0;
  // Who comes back gets everything at once: the browser returns to their place in the first frame (SPEC W22).
  const [isBack] = useState(isShown);
  useEffect(() => live.watch(), [live]);
  const retry = { label: texts.states.retry, run: onRetry };
  const { inicio, states } = texts;

  if (status === 'failed') {
    return <ScreenMessage title={inicio.failed} hint={states.failures.broken} action={retry} />;
  }
  if (!isEmpty || status === 'loading') {
    const said = status === 'live' ? phase : status;
    return (
      <div className={styles.panel}>
        <div className={`row ${styles.status}`} data-status={said}>
          <p role="status">{inicio.status[said]}</p>
          {phase !== 'before' && isShown && (
            <Suspense>
              <VotesTotal standings={shown.standings} state={live.state} voteStatus={voteStatus} />
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
        action={retry}
      />
    );
  }
  return <ScreenMessage title={states.empty} hint={states.emptyHint} />;
}
