import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type UnavailableError, unavailable } from './unavailable-error.ts';

/**
 * A question that the store is asked again and again. Those who ask while it is under way share the answer.
 *
 * @param line begins the line of the log about a failure
 * @param read asks it; called with the time on `clock.elapsed()` at which it was last answered or failed
 */
export function createQuestion(
  line: string,
  read: (endedAt: number) => Promise<void>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  let asking: Promise<void> | undefined;
  let failure: { readonly error: UnavailableError; readonly since: number } | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;

  return {
    /** Never rejects. */
    ask(): Promise<void> {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    /** When it was last answered or failed, on `clock.elapsed()`. */
    endedAt: () => endedAt,
    /** Why it has failed the last time, and since when it has failed each time. */
    failure: () => failure,
  };

  async function ask() {
    const startedAt = clock.elapsed();
    try {
      await read(endedAt);
      failure = undefined;
    } catch (error) {
      log.error(line, error);
      failure = { error: unavailable(error), since: failure?.since ?? startedAt };
    }
    endedAt = clock.elapsed();
  }
}
