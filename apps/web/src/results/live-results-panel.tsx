import { texts } from '@goty/shared/texts';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { ScreenMessage } from '../base/screen-message.tsx';
import type { VoteStatus } from '../live/vote-status.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import styles from './live-results-panel.module.css';
import type { ResultsProps } from './results.tsx';

const Results = lazy(() => import('./results.tsx'));

interface Props {
  readonly phase: VoteStatus['phase'];
  readonly results: ResultsProps;
  readonly onRetry: () => void;
}

/** The live standings as chart, legend and table, or a loading, empty, offline or failed state. */
export function LiveResultsPanel({ phase, results, onRetry }: Props) {
  const { live } = results;
  // Only what is shown here, since the results take new standings at a pace of their own.
  const { get, subscribe } = live.state;
  const getStatus = () => get().status;
  const getIsEmpty = () => !get().standings?.length;
  const status = useSyncExternalStore(subscribe, getStatus, getStatus);
  const isEmpty = useSyncExternalStore(subscribe, getIsEmpty, getIsEmpty);
  useEffect(() => live.watch(), [live]);
  const retry = { label: texts.states.retry, run: onRetry };
  const { inicio, states } = texts;

  if (status === 'failed') {
    return <ScreenMessage title={inicio.failed} hint={states.failures.broken} action={retry} />;
  }
  if (!isEmpty) {
    return (
      <Panel status={status === 'live' ? phase : status}>
        <Suspense fallback={<ChartSkeleton />}>
          <Results {...results} />
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
  before: texts.inicio.before,
  open: texts.inicio.live,
  closed: texts.inicio.final,
  offline: texts.inicio.offline,
};

interface PanelProps {
  readonly status: keyof typeof STATUS_TEXTS;
  readonly children: ReactNode;
}

function Panel({ status, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      <p className={styles.status} role="status" data-status={status}>
        {STATUS_TEXTS[status]}
      </p>
      {children}
    </div>
  );
}
