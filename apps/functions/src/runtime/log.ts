import { format } from 'node:util';
import type { Clock } from './clock.ts';

export type Log = Pick<Console, 'info' | 'warn' | 'error'>;

/** Equal lines that are less than this apart, in milliseconds, are one burst. */
const BURST_PAUSE_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Each line, also of a stack, begins with the time and the level. `info` goes to stdout, the others to stderr. */
export function createLog(clock: Clock, { info, warn, error }: Log = console): Log {
  const line = (level: string, parts: unknown[]) =>
    format(...parts).replaceAll(
      /^/gm,
      `${new Date(clock.now()).toISOString()} ${level.padEnd(5)} `,
    );
  return {
    info: (...parts) => info(line('info', parts)),
    warn: (...parts) => warn(line('warn', parts)),
    error: (...parts) => error(line('error', parts)),
  };
}

/** Writes only the first of a burst of equal warnings or errors, so that a store that is down causes one line. */
export function oncePerBurst(log: Log, clock: Clock): Log {
  const lastTimes = new Map<string, number>();
  return {
    info: log.info,
    warn: (...parts) => isFirst(parts) && log.warn(...parts),
    error: (...parts) => isFirst(parts) && log.error(...parts),
  };

  function isFirst(parts: unknown[]): boolean {
    const line = parts.join(' ');
    const last = lastTimes.get(line) ?? Number.NEGATIVE_INFINITY;
    if (lastTimes.size >= MAX_REMEMBERED) lastTimes.clear();
    lastTimes.set(line, clock.elapsed());
    return clock.elapsed() - last >= BURST_PAUSE_MS;
  }
}
