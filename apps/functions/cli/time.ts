import { MAX_TIME } from '@goty/shared/vote-times';
import { InvalidArgumentError } from 'commander';
import { systemClock } from '../src/runtime/clock.ts';

export const AT = 'a time with its zone, such as 2026-12-31T20:00+01:00';

/** The times of this command line, as the operator has written them, each with its own zone. */
const written = new Map<number, string>();

/** Reads a time of the command line. Returns milliseconds since the Unix epoch. */
export function readTime(text: string): number {
  const time = Date.parse(text);
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
  // `Date.parse` takes 30 February for a day in March, so the day has to be the same when it is written again.
  const isDay = new Date(Date.parse(day)).toJSON()?.startsWith(day);
  if (day === '' || !isDay || !(time >= 0) || time > MAX_TIME) {
    throw new InvalidArgumentError(`It is not ${AT}.`);
  }
  written.set(time, text);
  return time;
}

/** Returns a time in this machine's zone and, in brackets, as the operator wrote it, or in UTC if not on this command line. */
export function formatLong(time: number): string {
  const local = new Date(time).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  return `${local} (${written.get(time) ?? formatIso(time)})`;
}

export function formatShort(time: number): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve));
}

export function formatIso(time: number): string {
  return new Date(time).toISOString();
}
