import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Deadline } from '../../base/countdown/countdown.tsx';
import { formatCount, formatVotes } from '../../base/format.ts';
import type { LiveResults } from '../../live/live-results.ts';
import type { LiveState } from '../../live/live-source.ts';
import type { VoteStatus } from '../../live/vote-status.ts';
import styles from './votes-total.module.css';

/** Over before the next number comes. */
const ROLL_MS = 300;

interface Props {
  readonly standings: readonly Standing[];
  readonly state: LiveResults['state'];
  readonly voteStatus: VoteStatus;
}

/**
 * What stands beside 'En directo': all votes so far, rolling to each new number (SPEC W63), how many pages
 * watch (SPEC W126), and until when voting is open (SPEC W120). Screen readers get only the number itself.
 */
export function VotesTotal({ standings, state, voteStatus }: Props) {
  const { phase, resultPhase, closesAt, clockOffset } = voteStatus;
  const total = totalVotes(standings);
  const shown = useRolling(total);
  const viewers = useSyncExternalStore(state.subscribe, () => viewersIn(state.get()));
  return (
    <>
      {/* Not while they are secret: it would be the total of an earlier time. */}
      {total > 0 && resultPhase !== 'frozen' && (
        <p className={styles.total}>
          <span aria-hidden="true">{formatVotes(shown)}</span>
          <span className="visually-hidden">{formatVotes(total)}</span>
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

/** Returns a number that runs to `to`, or is there at once with reduced motion. */
function useRolling(to: number): number {
  const [shown, setShown] = useState(to);
  const last = useRef(to);

  useEffect(() => {
    if (last.current === to) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const from = last.current;
    const begin = performance.now();
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);

    function step() {
      const part = isStill ? 1 : Math.min(1, (performance.now() - begin) / ROLL_MS);
      last.current = Math.round(from + (to - from) * part);
      setShown(last.current);
      if (part < 1) frame = requestAnimationFrame(step);
    }
  }, [to]);

  return shown;
}
