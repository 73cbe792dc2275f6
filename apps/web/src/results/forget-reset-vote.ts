import type { LastVote } from '../base/last-vote.ts';
import type { LiveResults } from '../live/live-results.ts';

/** How long the game must have no votes: standings may come later than the response to a vote. */
const CERTAIN_MS = 15_000;

/**
 * Forgets the browser's last vote once the live standings have no votes for its game: the operator
 * has reset the vote (SPEC W21).
 */
export function forgetResetVote(
  state: LiveResults['state'],
  lastVote: Pick<LastVote, 'get' | 'subscribe' | 'forget'>,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = [state.subscribe(check), lastVote.subscribe(restart)];
  check();
  return () => {
    for (const end of unsubscribe) end();
    clearTimeout(timer);
  };

  /** A vote in another tab has a time of its own. */
  function restart() {
    clearTimeout(timer);
    timer = undefined;
    check();
  }

  function check() {
    if (isReset()) timer ??= setTimeout(lastVote.forget, CERTAIN_MS);
    else if (timer !== undefined) restart();
  }

  function isReset(): boolean {
    const { status, standings = [] } = state.get();
    return (
      status === 'live' && standings.some(({ id, votos }) => id === lastVote.get() && votos === 0)
    );
  }
}
