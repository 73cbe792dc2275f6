import type { LastVote } from '../base/last-vote.ts';
import type { LiveSource } from './live-source.ts';

/** How often the standings are looked at, in milliseconds. Both screens ask the server more often anyway. */
const LOOK_EVERY_MS = 60_000;
/** How long the game must have no votes: standings may come later than the response to a vote. */
const CERTAIN_MS = 15_000;

/**
 * Forgets the browser's last vote once the standings have no votes for its game: the operator has
 * reset the vote, or removed the game (SPEC W21). A screen without standings looks at them, too.
 *
 * @param standings a source that costs nothing
 */
export function forgetResetVote(
  standings: LiveSource,
  lastVote: Pick<LastVote, 'get' | 'subscribe' | 'forget'>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopLooking = () => {};
  lastVote.subscribe(restart);
  restart();

  /** A vote, also one in another tab, has a time of its own. */
  function restart() {
    stopLooking();
    clearTimeout(timer);
    if (lastVote.get() !== undefined) look(false);
  }

  /** @param wasReset whether the game had no votes when the standings were last looked at */
  function look(wasReset: boolean) {
    let isDone = false;
    const unlisten = standings((event) => {
      if (isDone || event.type !== 'standings') return;
      isDone = true;
      // The source may tell this one before it has returned.
      queueMicrotask(unlisten);
      const isReset =
        // While the vote is frozen, new votes are not shown.
        !event.isFrozen &&
        !event.standings.some(({ id, votos }) => id === lastVote.get() && votos > 0);
      if (isReset && wasReset) lastVote.forget();
      else timer = setTimeout(look, isReset ? CERTAIN_MS : LOOK_EVERY_MS, isReset);
    });
    stopLooking = unlisten;
  }
}
