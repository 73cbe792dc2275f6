import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { formatVotes } from '../base/format.ts';
import type { VoteStatus } from '../live/vote-status.ts';
import { headlineAt } from './headline/headline.ts';

interface Props {
  readonly standings: readonly Standing[];
  readonly voteStatus: VoteStatus;
}

/** A polite status for screen readers that says who leads or has won (SPEC W23). */
export function StandingsStatus({ standings, voteStatus }: Props) {
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
