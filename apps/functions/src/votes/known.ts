import type { Clock } from '../runtime/clock.ts';
import { createQuestion } from './question.ts';
import { createReader, type ReaderOptions, type Snapshot } from './snapshot.ts';

export type Known = ReturnType<typeof createKnown>;

/**
 * Keeps the newest snapshot, and asks the store two questions for the next: for changes by other processes, and for
 * new sums. Each is asked once for all who wait for it, and neither waits for the other, so that no vote waits for
 * sums. While the store does not answer, what is known stays in use.
 *
 * @param minAskIntervalMs the time from an answer to the next question for changes
 * @param tell called with each new snapshot
 */
export function createKnown(
  options: ReaderOptions,
  minAskIntervalMs: number,
  tell: (snapshot: Snapshot) => void,
) {
  const { clock } = options;
  const reader = createReader(options);
  let known: Snapshot | undefined;
  /** How many times votes were counted here, and how many of these are in what is known. */
  let counted = 0;
  let summed = 0;
  let summedAt = Number.NEGATIVE_INFINITY;

  return {
    changes: createQuestion('Failed to ask the store for changes:', readChanges, options),
    sums: createQuestion('Failed to read the standings:', readSums, options),
    latest: () => known,
    /** Call this after votes were counted. */
    counted() {
      counted += 1;
    },
    /** Whether the sums lack votes that were counted here. */
    lacksVotes: () => counted > summed,
    /** When the sums were read last, or could not be, on `clock.elapsed()`. */
    summedAt: () => summedAt,
  };

  async function readChanges(endedAt: number) {
    // Until something is known, every request asks (SPEC N2).
    if (known) await until(clock, endedAt + minAskIntervalMs);
    const before = counted;
    const changed = await reader.changes(known?.state);
    if (changed) keep(changed, before);
  }

  async function readSums() {
    if (!known) return;
    const [basis, before] = [known, counted];
    try {
      const { games, gamesIfVoted } = reader;
      const newest = await (counted > summed ? games() : gamesIfVoted(basis.games));
      // If there is another list by now, it came with sums of its own.
      if (basis === known)
        keep(newest === basis.games ? basis : { ...basis, games: newest }, before);
    } finally {
      summedAt = clock.elapsed();
    }
  }

  function keep(snapshot: Snapshot, countedBefore: number) {
    summed = countedBefore;
    summedAt = clock.elapsed();
    if (snapshot === known) return;
    known = snapshot;
    tell(known);
  }
}

/** Waits for a time on `clock.elapsed()`. */
export async function until(clock: Clock, time: number) {
  const wait = time - clock.elapsed();
  if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
}
