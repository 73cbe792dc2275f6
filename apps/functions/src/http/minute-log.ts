import { createHistogram } from 'node:perf_hooks';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { pluralize } from '../runtime/operator-error.ts';
import type { CommitResult } from '../serving/group-commit.ts';

const ONE_MINUTE_MS = 60_000;

/** Logs a line for each minute with commits or refusals. `viewers` returns `undefined` where the server does not know. */
export function createMinuteLog(clock: Clock, log: Log, viewers: () => number | undefined) {
  const microseconds = createHistogram();
  const refusals = new Map<string, number>();
  let votes = 0;
  let failedCommits = 0;
  let cancelLine: (() => void) | undefined;
  let startedAt = 0;
  let isClosed = false;

  return {
    committed({ counted, ms, error }: CommitResult) {
      startMinute();
      votes += counted;
      if (error === undefined) microseconds.record(Math.max(1, Math.round(ms * 1_000)));
      else failedCommits += 1;
    },
    refused(kind: string) {
      startMinute();
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
    },
    /** Writes the line of the minute that has begun. Call this when the server stops. */
    close() {
      isClosed = true;
      if (cancelLine) write();
    },
  };

  function startMinute() {
    // After `close` no minute begins any more, because its timer would keep the process alive once the last votes are answered.
    if (isClosed || cancelLine) return;
    startedAt = clock.elapsed();
    cancelLine = clock.after(ONE_MINUTE_MS, write);
  }

  function write() {
    cancelLine?.();
    cancelLine = undefined;
    const parts = [pluralize(votes, 'vote')];
    if (microseconds.count > 0) {
      const [median, p99] = [50, 99].map((share) =>
        (microseconds.percentile(share) / 1_000).toFixed(1),
      );
      parts.push(`${pluralize(microseconds.count, 'commit')} (median ${median} ms, p99 ${p99} ms)`);
    }
    if (failedCommits > 0) parts.push(pluralize(failedCommits, 'failed commit'));
    const kinds = [...refusals].map(([kind, number]) => `${kind} ${number}`);
    if (kinds.length > 0) parts.push(`refused: ${kinds.join(', ')}`);
    const watching = viewers();
    if (watching !== undefined) parts.push(pluralize(watching, 'viewer'));
    // The time is measured, because it is not always a minute: the timers of a Function stand still while it has no requests.
    const seconds = Math.round((clock.elapsed() - startedAt) / 1_000);
    log.info(`Traffic of ${seconds} s: ${parts.join('; ')}`);
    votes = 0;
    failedCommits = 0;
    refusals.clear();
    microseconds.reset();
  }
}
