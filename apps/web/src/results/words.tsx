import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { Countdown, Deadline } from '../base/countdown.tsx';
import { formatCount, formatMoment, formatVotes } from '../base/format.ts';
import type { Observable } from '../base/observable.ts';
import { useSelected } from '../base/react.ts';
import type { Known, VoteStatus } from '../live/known.ts';
import { type Headline, headlineAt } from './headline.ts';
import styles from './words.module.css';

// What the standings say in words.

interface TotalProps {
  readonly standings: readonly Standing[];
  readonly known: Observable<Known>;
  readonly voteStatus: VoteStatus;
}

/**
 * What stands beside 'En directo': all votes so far (SPEC W63) or, while newer ones are secret, since when they are
 * (SPEC W93), how many pages watch (SPEC W126), and until when voting is open (SPEC W120).
 */
export function VotesTotal({ standings, known, voteStatus }: TotalProps) {
  const { phase, resultPhase, closesAt, frozenAt = 0, clockOffset } = voteStatus;
  const total = totalVotes(standings);
  const viewers = useSelected(known, (now) => (now.connection === 'live' && now.viewers) || 0);
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

interface HeadlineProps extends Headline {
  readonly voteStatus: VoteStatus;
}

/**
 * What the chart shows, in a sentence: who leads or has won, or when the vote begins. Until React has
 * loaded, headline.ts shows the same.
 */
export function StandingsHeadline({ title, detail, kind, voteStatus }: HeadlineProps) {
  const { opensAt = 0, clockOffset } = voteStatus;
  return (
    // A new key, because nothing moves when other words come that stand elsewhere.
    <div key={kind} className="standings-headline" data-kind={kind}>
      {(kind === 'won' || kind === 'empty') && (
        <img src="/trophy.svg" alt="" width="72" height="72" />
      )}
      <div>
        <h2>{title}</h2>
        <p>{detail}</p>
      </div>
      {kind === 'before' && (
        <Countdown to={opensAt} clockOffset={clockOffset} words={resultTexts.opensAt} />
      )}
    </div>
  );
}

interface StatusProps {
  readonly standings: readonly Standing[];
  readonly voteStatus: VoteStatus;
}

/** A polite status for screen readers that says who leads or has won (SPEC W23). */
export function StandingsStatus({ standings, voteStatus }: StatusProps) {
  const { title, detail } = headlineAt(standings, voteStatus);
  const total = totalVotes(standings);
  const isTold = total > 0 && voteStatus.resultPhase !== 'frozen';
  const all = isTold ? `${resultTexts.total(formatVotes(total))}.` : '';
  return (
    <p className="visually-hidden" role="status">
      {[`${title}.`, detail, all].filter(Boolean).join(' ')}
    </p>
  );
}
