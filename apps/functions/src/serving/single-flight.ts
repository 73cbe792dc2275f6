import { type Clock, until } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { toUnavailableError, type UnavailableError } from '../votes/vote-store.ts';

interface SingleFlightParts<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** The log to which failures are written, and what the line of a failure begins with. */
  readonly log?: Log;
  readonly line?: string;
  /** The shortest time from the start of one read to the start of the next, in milliseconds. Only `runAgain` waits for it. */
  readonly minIntervalMs?: number;
}

/** A read of the store that is repeated again and again, but never runs twice at once. All callers who wait share its result. */
export class SingleFlight<Value> {
  /** When the last read ended or failed, on `clock.elapsed()`. */
  endedAt = Number.NEGATIVE_INFINITY;
  value: Value | undefined;
  /** Why, and since when on `clock.elapsed()`, reads have failed; `undefined` after a read that succeeded. */
  failure: { readonly error: UnavailableError; readonly since: number } | undefined;
  readonly #parts: SingleFlightParts<Value>;
  #begunAt = Number.NEGATIVE_INFINITY;
  #running: Promise<Value> | undefined;
  #next: Promise<Value> | undefined;

  constructor(parts: SingleFlightParts<Value>) {
    this.#parts = parts;
  }

  /** Reads, or waits for the read that is under way. Never rejects. */
  run(): Promise<unknown> {
    return (this.#running ?? this.#begin()).catch(() => {});
  }

  /** Reads after this call, even if a read is under way already. Rejects if the read fails. */
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
    // `end` runs after this assignment, even if the read ends at once, so no read that has ended stays in `#running`.
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
