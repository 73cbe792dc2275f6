import { voteTexts } from '@goty/shared/vote-texts';
import { formatTime } from '../base/format-time.ts';
import type { VoteStatus } from '../live/vote-status.ts';

/** Says when voting is open, and for how many votes. Loaded late: most votes are simply open. */
export function describePhase(status: VoteStatus): Pick<VoteStatus, 'notice' | 'hint'> | undefined {
  const { phase, opensAt, onePerVisitor } = status;
  if (phase === 'open') return onePerVisitor ? { notice: voteTexts.onePerVisitor } : undefined;
  const notice = phase === 'before' ? voteTexts.opens(formatTime(opensAt ?? 0)) : voteTexts.closed;
  return { notice, hint: voteTexts.hints[phase] };
}
