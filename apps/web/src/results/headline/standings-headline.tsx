import { resultTexts } from '@goty/shared/result-texts';
import { Countdown } from '../../base/countdown/countdown.tsx';
import type { VoteStatus } from '../../live/vote-status.ts';
import type { Headline } from './headline.ts';

interface Props extends Headline {
  readonly voteStatus: VoteStatus;
}

/**
 * What the chart shows, in a sentence: who leads or has won, or when the vote begins. Until React has
 * loaded, first-headline.ts shows the same.
 */
export function StandingsHeadline({ title, detail, kind, voteStatus }: Props) {
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
