import { totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { formatVotes } from '../base/format.ts';
import type { LiveResults } from '../live/live-results.ts';
import type { VoteStatus } from '../live/vote-status.ts';
import { headline } from './headline.ts';
import { useThrottled } from './use-throttled.ts';

/** SPEC W23: often enough to follow, rarely enough not to interrupt the visitor. */
const INTERVAL_MS = 10_000;

interface Props {
  readonly state: LiveResults['state'];
  readonly phase: VoteStatus['phase'];
}

/** A polite status for screen readers that says who leads or has won (SPEC W23). */
export function StandingsStatus({ state, phase }: Props) {
  return (
    <p className="visually-hidden" role="status">
      {/* The key ends the interval: the close is said at once. */}
      <Sentence key={phase} state={state} phase={phase} />
    </p>
  );
}

function Sentence({ state, phase }: Props) {
  const { standings } = useThrottled(state, INTERVAL_MS);
  const { title, detail } = headline(standings, phase === 'closed');
  const total = totalVotes(standings);
  return `${title}. ${detail} ${total > 0 ? `${resultTexts.total(formatVotes(total))}.` : ''}`.trim();
}
