import type { LastVote } from '../base/last-vote.ts';
import type { Client } from './client.ts';

/** How long the game must have no votes: standings may come later than the response to a vote. */
const CERTAIN_MS = 15_000;

/**
 * Forgets the browser's last vote once the standings have no votes for its game: the operator has
 * reset the vote, or removed the game (SPEC W21).
 */
export function forgetResetVote(
  { live, voteStatus }: Pick<Client, 'live' | 'voteStatus'>,
  lastVote: Pick<LastVote, 'get' | 'subscribe' | 'forget'>,
) {
  let since: number | undefined;
  // A vote, also one in another tab, has a time of its own.
  lastVote.subscribe(() => {
    since = undefined;
  });
  live.subscribe(() => {
    const { status, standings = [] } = live.get();
    const vote = lastVote.get();
    const hasVotes = standings.some(({ id, votos }) => id === vote && votos > 0);
    // While the vote is frozen, new votes are not shown.
    const isSecret = voteStatus.get().resultPhase === 'frozen';
    const isReset = vote !== undefined && status === 'live' && !isSecret && !hasVotes;
    if (!isReset) since = undefined;
    else {
      since ??= performance.now();
      if (performance.now() - since >= CERTAIN_MS) lastVote.forget();
    }
  });
}
