import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import type { VoteStatus } from '../status/vote-status.ts';
import { formatVotes } from './format.ts';
import { headline } from './headline.ts';
import { useThrottled } from './use-throttled.ts';

/** SPEC W23: often enough to follow, rarely enough not to interrupt the visitor. */
const INTERVAL_MS = 10_000;

interface Props {
  readonly standings: readonly Standing[];
  readonly phase: VoteStatus['phase'];
}

/** A polite status for screen readers that says who leads, throttled, or who has won (SPEC W23). */
export function StandingsStatus({ standings, phase }: Props) {
  const sentence = useThrottled(describe(standings, phase === 'closed'), INTERVAL_MS, phase);
  return (
    <p className="visually-hidden" role="status">
      {sentence}
    </p>
  );
}

function describe(standings: readonly Standing[], isClosed: boolean): string {
  const { title, detail } = headline(standings, isClosed);
  const total = totalVotes(standings);
  return `${title}. ${detail} ${total > 0 ? `${resultTexts.total(formatVotes(total))}.` : ''}`.trim();
}
