import type { Log } from '../src/runtime/log.ts';

/** A log whose lines a test can read. */
export interface TestLog extends Log {
  readonly lines: string[];
}

/** A test log that collects all levels in `lines`. */
export function createTestLog(): TestLog {
  const lines: string[] = [];
  const write = (...parts: unknown[]) => void lines.push(parts.join(' '));
  return { lines, info: write, warn: write, error: write };
}
