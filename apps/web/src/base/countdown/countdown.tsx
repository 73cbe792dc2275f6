import { resultTexts } from '@goty/shared/result-texts';
import { formatDuration } from '../format.ts';
import styles from './countdown.module.css';
import { formatUnits } from './format-units.ts';
import { useLeft } from './use-left.ts';

const HOUR_MS = 3_600_000;
/** Then only the seconds are shown, in large. */
const LAST_MS = 10_000;

interface Props {
  /** A moment by the server's clock. */
  readonly to: number;
  readonly clockOffset: number;
  /** The moment in words. Screen readers hear it instead of each second. */
  readonly label: string;
}

/** The time that is left, in days, hours, minutes and seconds: a tile for each (SPEC W119). */
export function Countdown({ to, clockOffset, label }: Props) {
  const left = useLeft(to, clockOffset, Number.POSITIVE_INFINITY);
  const isLast = left <= LAST_MS;
  const shown = isLast ? formatUnits(left).slice(-1) : formatUnits(left);
  return (
    <div role="timer" aria-label={label} className={styles.countdown}>
      {shown.map(({ value, unit }, at) => (
        <span key={isLast ? 'last' : at} className={isLast ? styles.last : ''} aria-hidden="true">
          {/* A new key plays the animation again. */}
          <b key={value}>{value}</b> {unit}
        </span>
      ))}
    </div>
  );
}

/** The moment in words, and in the last hour the time that is left (SPEC W120). */
export function Deadline({ to, clockOffset, label }: Props) {
  const left = useLeft(to, clockOffset, HOUR_MS);
  if (left > HOUR_MS || left < 0) return label;
  return (
    <span role="timer" aria-label={label}>
      <span aria-hidden="true">{resultTexts.closesIn(formatDuration(left))}</span>
    </span>
  );
}
