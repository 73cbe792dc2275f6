import type { Log } from '../src/runtime/log.ts';

/** A log that collects what it is told, at all levels, in `lines`. */
export function createTestLog() {
  const lines: string[] = [];
  const write: Log['info'] = (...parts) => void lines.push(parts.join(' '));
  return { lines, info: write, warn: write, error: write };
}
