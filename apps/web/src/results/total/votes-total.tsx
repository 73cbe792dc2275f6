import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useSyncExternalStore } from 'react';
import { Deadline } from '../../base/countdown/countdown.tsx';
import { formatCount, formatVotes } from '../../base/format.ts';
import { formatMoment } from '../../base/format-time.ts';
import type { Client } from '../../live/client.ts';
import type { LiveState } from '../../live/live-source.ts';
import type { VoteStatus } from '../../live/vote-status.ts';
import styles from './votes-total.module.css';

interface Props {
  readonly standings: readonly Standing[];
  readonly live: Client['live'];
  readonly voteStatus: VoteStatus;
}

/**
 * What stands beside 'En directo': all votes so far (SPEC W63) or, while newer ones are secret, since when they are
 * (SPEC W93), how many pages watch (SPEC W126), and until when voting is open (SPEC W120).
 */
export function VotesTotal({ standings, live, voteStatus }: Props) {
  const { phase, resultPhase, closesAt, frozenAt = 0, clockOffset } = voteStatus;
  const total = totalVotes(standings);
  const viewers = useSyncExternalStore(live.subscribe, () => viewersIn(live.get()));
  return (
    <>
      {total > 0 && (
        <p className={styles.total}>
          {resultPhase === 'frozen'
            ? resultTexts.secretSince(formatMoment(frozenAt))
            : formatVotes(total)}
        </p>
      )}
      {viewers > 1 && (
        <p className={styles.viewers}>
          <span>{resultTexts.watching(formatCount(viewers))}</span>
        </p>
      )}
      {phase === 'open' && closesAt !== undefined && (
        <p className={styles.ends}>
          <Deadline to={closesAt} clockOffset={clockOffset} words={resultTexts.ends} />
        </p>
      )}
    </>
  );
}

function viewersIn(state: LiveState): number {
  return (state.status === 'live' && state.viewers) || 0;
}
