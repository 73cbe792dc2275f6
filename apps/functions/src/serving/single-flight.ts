import { type Clock, until } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { toUnavailableError, type UnavailableError } from '../votes/vote-store.ts';

interface SingleFlightParts<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** Where failures are told, and what their line begins with. */
  readonly log?: Log;
  readonly line?: string;
  /** The shortest time from the start of one read to that of the next, for `runAgain`. */
  readonly minIntervalMs?: number;
}

/** A question that the store is asked again and again, never twice at once. All who wait share the answer. */
export class SingleFlight<Value> {
  /** On `clock.elapsed()`, when the question was last answered, or failed. */
  endedAt = Number.NEGATIVE_INFINITY;
  value: Value | undefined;
  /** Why the question failed the last time, and since when it has failed each time. */
  failure: { readonly error: UnavailableError; readonly since: number } | undefined;
  readonly #parts: SingleFlightParts<Value>;
  #begunAt = Number.NEGATIVE_INFINITY;
  #running: Promise<Value> | undefined;
  #next: Promise<Value> | undefined;

  constructor(parts: SingleFlightParts<Value>) {
    this.#parts = parts;
  }

  /** Asks, unless a read is under way. Never rejects. */
  run(): Promise<unknown> {
    return (this.#running ?? this.#begin()).catch(() => {});
  }

  /** Asks after this call, even if a read is under way already. */
  runAgain(): Promise<Value> {
    this.#next ??= this.#runNext();
    return this.#next;
  }

  async #runNext(): Promise<Value> {
    const { clock, minIntervalMs = 0 } = this.#parts;
    await this.#running?.catch(() => {});
    await until(clock, this.#begunAt + minIntervalMs);
    this.#next = undefined;
    return this.#running ?? this.#begin();
  }

  #begin(): Promise<Value> {
    this.#begunAt = this.#parts.clock.elapsed();
    const answer = this.#read();
    const end = () => {
      this.#running = undefined;
    };
    // `end` comes after this, even if the question was answered at once.
    this.#running = answer;
    answer.then(end, end);
    return answer;
  }

  async #read(): Promise<Value> {
    const { clock, line, log, read } = this.#parts;
    try {
      const answer = await read();
      [this.value, this.failure] = [answer, undefined];
      return answer;
    } catch (cause) {
      log?.error(line ?? '', cause);
      this.failure = {
        error: toUnavailableError(cause),
        since: this.failure?.since ?? this.#begunAt,
      };
      throw cause;
    } finally {
      this.endedAt = clock.elapsed();
    }
  }
}
