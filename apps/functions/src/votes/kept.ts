import { VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { type Clock, until, withDeadline } from '../runtime/clock.ts';
import { unavailable } from './vote-store.ts';

/** How often the store is asked the same at most. */
export const MIN_INTERVAL_MS = 1_000;

/** Settles like `question`, but rejects with UnavailableError, also if that takes too long. */
export function answered<Value>(question: Promise<Value>, clock: Clock): Promise<Value> {
  return withDeadline(question, VOTE_DEADLINE_MS, clock).catch((error) => {
    throw unavailable(error);
  });
}

/** Keeps what the store has answered for a while. Those who ask meanwhile share it. Rejects with UnavailableError. */
export class Kept<Value> {
  readonly #read: () => Promise<Value>;
  readonly #clock: Clock;
  #value: Promise<Value> | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  /** What is not begun yet. */
  #next: Promise<Value> | undefined;

  constructor(read: () => Promise<Value>, clock: Clock) {
    this.#read = () => answered(read(), clock);
    this.#clock = clock;
  }

  /** On `clock.elapsed()`, when what is kept was asked for. */
  get begunAt(): number {
    return this.#begunAt;
  }

  /** What is being read, or was so long ago at most. */
  within(maxAgeMs: number): Promise<Value> {
    const isYoung = this.#clock.elapsed() - this.#begunAt <= maxAgeMs;
    return this.#value && (isYoung || this.#isReading) ? this.#value : this.newest();
  }

  /** Begins to read after this call, and not before a second has passed since it was begun last. */
  newest(): Promise<Value> {
    this.#next ??= until(this.#clock, this.#begunAt + MIN_INTERVAL_MS).then(() => this.#begin());
    return this.#next;
  }

  /** Keeps what is known to be stored now. */
  keep(value: Value) {
    this.#begunAt = this.#clock.elapsed();
    this.#value = Promise.resolve(value);
  }

  forget() {
    this.#value = undefined;
  }

  #begin(): Promise<Value> {
    this.#next = undefined;
    this.#begunAt = this.#clock.elapsed();
    this.#isReading = true;
    const value = this.#read().finally(() => {
      this.#isReading = false;
    });
    this.#value = value;
    value.catch(() => this.forget());
    return value;
  }
}
