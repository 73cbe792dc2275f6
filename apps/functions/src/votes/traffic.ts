import { createHistogram } from 'node:perf_hooks';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { GroupCommitOptions } from './group-commit.ts';
import { UnavailableError } from './unavailable-error.ts';

const ONE_MINUTE_MS = 60_000;

export interface TrafficOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How many pages watch the standings; `undefined` where nobody knows. */
  readonly viewers: (() => number) | undefined;
}

/** Counts what an operator wants to know about a minute. */
export interface Traffic {
  /**
   * Counts the votes of a store's commits, and how long each takes.
   *
   * @param handleCounted called after each commit that has counted a vote
   */
  measure(
    commit: GroupCommitOptions['commit'],
    handleCounted?: () => void,
  ): GroupCommitOptions['commit'];
  /**
   * Throws UnavailableError if a commit has failed and none has stored a vote since, for at most a minute after
   * the last failure: a load balancer that sends no votes while health is 503 would otherwise keep it there.
   */
  checkCommits(): void;
  /** @param kind why a request was refused */
  refused(kind: string): void;
  /** Writes what has not been written yet. To be called when the server stops. */
  close(): void;
}

/** Writes a line into the log for each minute with votes or refusals, and none without. */
export function createTraffic({ clock, log, viewers }: TrafficOptions): Traffic {
  const microseconds = createHistogram();
  const refusals = new Map<string, number>();
  let votes = 0;
  let failedCommits = 0;
  let failure: UnavailableError | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let cancelLine: (() => void) | undefined;
  let startedAt = 0;
  let isClosed = false;

  return {
    measure: (commit, handleCounted) => async (ballots) => {
      startMinute();
      const start = clock.elapsed();
      try {
        const outcomes = await commit(ballots);
        const counted = outcomes.filter((outcome) => outcome === 'counted').length;
        votes += counted;
        microseconds.record(Math.max(1, Math.round((clock.elapsed() - start) * 1_000)));
        // One that only finds votes stored already needs no room on a full disk.
        if (counted > 0) {
          failure = undefined;
          handleCounted?.();
        }
        return outcomes;
      } catch (error) {
        failedCommits += 1;
        failedAt = clock.elapsed();
        failure = new UnavailableError('votes cannot be stored', { cause: error });
        throw error;
      }
    },
    checkCommits() {
      if (failure && clock.elapsed() - failedAt < ONE_MINUTE_MS) throw failure;
    },
    refused(kind) {
      startMinute();
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
    },
    close() {
      isClosed = true;
      if (cancelLine) write();
    },
  };

  function startMinute() {
    // After the close, a timer would keep the server alive while it answers its last votes.
    if (isClosed || cancelLine) return;
    startedAt = clock.elapsed();
    cancelLine = clock.after(ONE_MINUTE_MS, write);
  }

  function write() {
    cancelLine?.();
    cancelLine = undefined;
    const parts = [count(votes, 'vote')];
    if (microseconds.count > 0) {
      const [median, p99] = [50, 99].map((share) =>
        (microseconds.percentile(share) / 1_000).toFixed(1),
      );
      parts.push(`${count(microseconds.count, 'commit')} (median ${median} ms, p99 ${p99} ms)`);
    }
    if (failedCommits > 0) parts.push(count(failedCommits, 'failed commit'));
    const kinds = [...refusals].map(([kind, number]) => `${kind} ${number}`);
    if (kinds.length > 0) parts.push(`refused: ${kinds.join(', ')}`);
    if (viewers) parts.push(count(viewers(), 'viewer'));
    // Not always a minute: timers of a Function stand still while it has no requests.
    const seconds = Math.round((clock.elapsed() - startedAt) / 1_000);
    log.info(`Traffic of ${seconds} s: ${parts.join('; ')}`);
    votes = 0;
    failedCommits = 0;
    refusals.clear();
    microseconds.reset();
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
