import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type UnavailableError, unavailable } from './vote-store.ts';

/** A question that the store is asked again and again. */
export class Question {
  /** On `clock.elapsed()`, when it was last answered or failed. */
  endedAt = Number.NEGATIVE_INFINITY;
  /** Why it has failed the last time, and since when it has failed each time. */
  failure: { readonly error: UnavailableError; readonly since: number } | undefined;
  readonly #line: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #asking: Promise<void> | undefined;

  /** @param line begins the line of the log about a failure */
  constructor(line: string, clock: Clock, log: Log) {
    [this.#line, this.#clock, this.#log] = [line, clock, log];
  }

  /** Those who ask while it is under way share the answer. Never rejects. */
  ask(read: () => Promise<void>): Promise<void> {
    const startedAt = this.#clock.elapsed();
    const fail = (cause: unknown) => {
      this.#log.error(this.#line, cause);
      return { error: unavailable(cause), since: this.failure?.since ?? startedAt };
    };
    this.#asking ??= read()
      .then(() => undefined, fail)
      .then((failure) => {
        this.failure = failure;
        this.endedAt = this.#clock.elapsed();
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
