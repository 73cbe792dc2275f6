import type { Observable } from '../base/observable.ts';
import { isSecret } from './fetch-standings.ts';
import type { LastVote } from './last-vote.ts';
import type { LiveState } from './live-state.ts';

/** How long a game must have no votes: standings may come later than the response to a vote. */
const MS_WITHOUT_VOTES = 15_000;

/**
 * Forgets the vote once the standings have no votes for its game: the operator has
 * reset the vote, or removed the game (SPEC W21).
 */
export function forgetResetVote(known: Observable<LiveState>, lastVote: LastVote) {
  let since: number | undefined;
  // A vote, also one in another tab, has a time of its own.
  lastVote.subscribe(() => {
    since = undefined;
  });
  known.subscribe(() => {
    const { status, standings = [], connection } = known.get();
    const vote = lastVote.get();
    const hasVotes = standings.some(({ id, votos }) => id === vote && votos > 0);
    // While the vote is frozen, new votes are not shown.
    const isTold = connection === 'live' && !isSecret(status.phase);
    if (vote === undefined || !isTold || hasVotes) since = undefined;
    else {
      since ??= performance.now();
      if (performance.now() - since >= MS_WITHOUT_VOTES) lastVote.save(undefined);
    }
  });
}
