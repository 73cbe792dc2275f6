import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type UnavailableError, unavailable } from './unavailable-error.ts';

/**
 * A question to the store that is asked again and again. Those who ask while it is being asked share it.
 *
 * @param read is told when it was last answered or failed
 * @param line how the line of the log begins that tells of a failure
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
