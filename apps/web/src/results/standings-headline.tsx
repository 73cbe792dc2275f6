import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useState } from 'react';
import { formatDuration, formatVotes } from '../base/format.ts';
import { formatTime } from '../base/format-time.ts';
import { serverNow, type VoteStatus } from '../live/vote-status.ts';
import { headline } from './headline.ts';
import styles from './standings-headline.module.css';

interface Props {
  readonly standings: readonly Standing[];
  readonly voteStatus: VoteStatus;
}

/** What the chart shows, in a sentence: who leads or has won, or when the vote begins. */
export function StandingsHeadline({ standings, voteStatus }: Props) {
  const { phase, opensAt = 0, closesAt } = voteStatus;
  const { title, detail, isWon } = headline(standings, phase === 'closed');
  const total = totalVotes(standings);
  return (
    <div className={styles.headline} data-won={isWon || undefined}>
      {isWon && <img className={styles.trophy} src="/trophy.svg" alt="" width="72" height="72" />}
      {phase === 'before' ? (
        <div>
          <h2 className={styles.title}>
            {resultTexts.opensIn} <Countdown to={opensAt} voteStatus={voteStatus} />
          </h2>
          <p className={styles.detail}>{resultTexts.opensAt(formatTime(opensAt))}</p>
        </div>
      ) : (
        <div>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.detail}>
            {detail} {total > 0 && <span>{resultTexts.total(formatVotes(total))}.</span>}
            {closesAt !== undefined && ' '}
            {closesAt !== undefined && (
              <span>
                {phase === 'closed'
                  ? resultTexts.closedAt(formatTime(closesAt))
                  : resultTexts.closesAt(formatTime(closesAt))}
              </span>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

interface CountdownProps {
  readonly to: number;
  readonly voteStatus: VoteStatus;
}

/** The time that is left, by the server's clock. Screen readers do not read a running timer out. */
function Countdown({ to, voteStatus }: CountdownProps) {
  const [left, setLeft] = useState(() => to - serverNow(voteStatus));

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = to - serverNow(voteStatus);
      setLeft(now);
      // At the next full second.
      timer = setTimeout(tick, (((now % 1_000) + 1_000) % 1_000) + 1);
    };
    tick();
    return () => clearTimeout(timer);
  }, [to, voteStatus]);

  return (
    <span className={styles.countdown} role="timer">
      {formatDuration(left)}
    </span>
  );
}
