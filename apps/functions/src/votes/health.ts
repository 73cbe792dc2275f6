import type { Clock } from '../runtime/clock.ts';
import type { CommitResult } from './group-commit.ts';
import { unavailable } from './unavailable-error.ts';
import type { VoteView } from './vote-view.ts';

/** A load balancer that sends no votes while health is 503 would otherwise keep it there. */
const MAX_FAILURE_AGE_MS = 60_000;

/** Says whether votes can be stored (SPEC V8). */
export function createHealth(view: Pick<VoteView, 'check'>, clock: Clock) {
  let failure: { readonly error: unknown; readonly at: number } | undefined;

  return {
    /** Call this after each commit. */
    committed({ counted, error }: CommitResult) {
      if (error !== undefined) failure = { error, at: clock.elapsed() };
      // One that only finds votes stored already needs no room on a full disk.
      if (counted > 0) failure = undefined;
    },
    /** Rejects with UnavailableError if the newest commits or the last question to the store have failed. */
    async check() {
      if (failure && clock.elapsed() - failure.at < MAX_FAILURE_AGE_MS) {
        throw unavailable(failure.error);
      }
      await view.check();
    },
  };
}
