import { LANGUAGE } from '@goty/shared/protocol';
import { useEffect, useReducer } from 'react';
import styles from './countdown.module.css';
import { FINAL_SECONDS_MS, HOUR_MS, MAX_TIMEOUT_MS } from './durations.ts';
import { formatTime } from './format.ts';

interface Props {
  /** A moment by the server's clock, in milliseconds since the Unix epoch. */
  readonly to: number;
  /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
  readonly clockOffset: number;
  /** Says what happens at that moment. Screen readers hear this instead of each second. */
  readonly words: (when: string) => string;
}

/** The last ten seconds are one large tile (SPEC W119). */
export function Countdown({ to, clockOffset, words }: Props) {
  const left = useLeft(to, clockOffset, Number.POSITIVE_INFINITY);
  const isLast = left <= FINAL_SECONDS_MS;
  const units = formatUnits(left);
  const first = units.findIndex(({ value }) => Number(value) > 0);
  const shown = units.slice(isLast ? -1 : first);
  return (
    <div role="timer" aria-label={words(formatTime(to))} className={styles.countdown}>
      {shown.map(({ value, unit, name }) => (
        <span key={isLast ? 'last' : name} className={isLast ? styles.last : ''} aria-hidden="true">
          {/* The value is the key, so that each new value is in a new element, which plays the animation. */}
          <b key={value} translate="no">
            {isLast ? Number(value) : value}
          </b>{' '}
          <span>{unit}</span>
        </span>
      ))}
    </div>
  );
}

/** Says when the moment is or, in the hour before it, how much time is left (SPEC W120). */
export function Deadline({ to, clockOffset, words }: Props) {
  const label = words(formatTime(to));
  const left = useLeft(to, clockOffset, HOUR_MS);
  if (left > HOUR_MS || left < 0) return <span>{label}</span>;
  return (
    <span role="timer" aria-label={label}>
      <span aria-hidden="true">{words(`en ${formatMinutes(left)}`)}</span>
    </span>
  );
}

/** Returns the time until `to`, in milliseconds. Once that is `within` or less, renders again at each full second. */
function useLeft(to: number, clockOffset: number, within: number): number {
  const now = useNow(clockOffset, (then) => {
    const left = to - then;
    if (left < 0) return Number.POSITIVE_INFINITY;
    return left > within ? left - within : (left % 1_000) + 1;
  });
  return to - now;
}

/**
 * Returns the server's time, in milliseconds since the Unix epoch.
 *
 * @param wait returns the time until the next rendering, in milliseconds; `Infinity` for none
 */
export function useNow(clockOffset: number, wait: (now: number) => number): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const now = performance.now() + clockOffset;

  useEffect(() => {
    const ms = wait(now);
    if (ms === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(renderAgain, Math.min(ms, MAX_TIMEOUT_MS));
    return () => clearTimeout(timer);
  });

  return now;
}

const UNITS = ['day', 'hour', 'minute', 'second'].map((unit) => ({
  name: unit,
  format: new Intl.NumberFormat(LANGUAGE, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    minimumIntegerDigits: 2,
  }),
}));

/** Formats a duration as days, hours, minutes and seconds, each with its unit: '03', 'horas'. */
function formatUnits(ms: number): readonly { name: string; value: string; unit: string }[] {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const values = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60, seconds % 60];
  return UNITS.map(({ name, format }, at) => {
    const [value = '', unit = ''] = format.format(Math.floor(values[at] ?? 0)).split(/\s/);
    return { name, value, unit };
  });
}

/** Formats a duration of an hour at most: '12 min 05 s', '5 s'. */
function formatMinutes(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}\u00a0s`;
  return `${minutes}\u00a0min ${String(seconds % 60).padStart(2, '0')}\u00a0s`;
}
