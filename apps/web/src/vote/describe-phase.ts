import { gotyTexts } from '@goty/shared/goty-texts';
import { formatTime } from '../base/format-time.ts';
import type { VoteStatus } from '../live/vote-status.ts';

/** Says when voting is open, and for how many votes. Loaded late: most votes are simply open. */
export function describePhase(
  status: VoteStatus,
): Pick<VoteStatus, 'notice' | 'hint' | 'afterVote'> | undefined {
  const { phase, opensAt, onePerVisitor } = status;
  if (phase === 'open') {
    return onePerVisitor
      ? { notice: gotyTexts.onePerVisitor, afterVote: gotyTexts.afterVote }
      : undefined;
  }
  const notice = phase === 'before' ? gotyTexts.opens(formatTime(opensAt ?? 0)) : gotyTexts.closed;
  return { notice, hint: gotyTexts.hints[phase] };
}
