import { totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useObservable } from '../base/observable.ts';
import { ScreenMessage } from '../base/screen-message.tsx';
import type { LiveResults } from '../live/live-results.ts';
import type { LiveState } from '../live/live-source.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { formatVotes } from './format.ts';
import styles from './live-results-panel.module.css';

const Results = lazy(() => import('./results.tsx'));

interface Props {
  readonly live: LiveResults;
  /** Subscribes again. */
  readonly onRetry: () => void;
}

/** The live standings as chart, legend and table, or a loading, empty, offline or failed state. */
export function LiveResultsPanel({ live, onRetry }: Props) {
  const state = useObservable(live.state);
  useEffect(() => live.watch(), [live]);
  const retry = { label: texts.states.retry, run: onRetry };
  const { inicio, states } = texts;

  if (state.status === 'failed') {
    return <ScreenMessage title={inicio.failed} hint={states.failures.broken} action={retry} />;
  }
  const { status, standings = [] } = state;
  if (standings.length > 0) {
    return (
      <Panel status={status} total={totalVotes(standings)}>
        <Suspense fallback={<ChartSkeleton />}>
          <Results standings={standings} />
        </Suspense>
      </Panel>
    );
  }
  if (status === 'loading') {
    return (
      <Panel status="loading">
        <ChartSkeleton />
      </Panel>
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

const STATUS_TEXTS = {
  loading: texts.inicio.loading,
  live: texts.inicio.live,
  offline: texts.inicio.offline,
};

interface PanelProps {
  readonly status: Exclude<LiveState['status'], 'failed'>;
  readonly total?: number;
  readonly children: ReactNode;
}

function Panel({ status, total, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <p className={styles.status} role="status" data-status={status}>
          {STATUS_TEXTS[status]}
        </p>
        {total !== undefined && (
          <p className={styles.total}>{texts.inicio.total(formatVotes(total))}</p>
        )}
      </div>
      {children}
    </div>
  );
}
