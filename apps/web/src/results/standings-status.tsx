import { totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { formatVotes } from '../base/format.ts';
import type { LiveResults } from '../live/live-results.ts';
import type { VoteStatus } from '../live/vote-status.ts';
import { headlineAt } from './headline/headline.ts';
import { useThrottled } from './use-throttled.ts';

/** SPEC W23: often enough to follow, rarely enough not to interrupt the visitor. */
const INTERVAL_MS = 10_000;

interface Props {
  readonly state: LiveResults['state'];
  readonly voteStatus: VoteStatus;
}

/** A polite status for screen readers that says who leads or has won (SPEC W23). */
export function StandingsStatus(props: Props) {
  return (
    <p className="visually-hidden" role="status">
      {/* The key ends the interval: the close is said at once. */}
      <Sentence key={props.voteStatus.resultPhase} {...props} />
    </p>
  );
}

function Sentence({ state, voteStatus }: Props) {
  const { standings } = useThrottled(state, INTERVAL_MS);
  const { title, detail, ends = '' } = headlineAt(standings, voteStatus);
  const total = totalVotes(standings);
  const isTold = total > 0 && voteStatus.resultPhase !== 'frozen';
  const all = isTold ? `${resultTexts.total(formatVotes(total))}.` : '';
  return [`${title}.`, detail, ends, all].filter(Boolean).join(' ');
}
