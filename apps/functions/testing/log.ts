import type { Log } from '../src/runtime/log.ts';

/** A log that a test can read. */
export interface TestLog extends Log {
  readonly lines: string[];
}

export function createTestLog(): TestLog {
  const lines: string[] = [];
  const write = (...parts: unknown[]) => void lines.push(parts.join(' '));
  return { lines, info: write, warn: write, error: write };
}
