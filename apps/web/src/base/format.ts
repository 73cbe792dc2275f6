import { resultTexts } from '@goty/shared/result-texts';

// 'always', because Spanish does not group four-digit numbers by default, and then columns of votes
// would look ragged.
const count = new Intl.NumberFormat('es', { useGrouping: 'always' });
const list = new Intl.ListFormat('es');
const tick = new Intl.NumberFormat('es', { notation: 'compact' });
const share = new Intl.NumberFormat('es', { style: 'percent', maximumSignificantDigits: 2 });

/** A smaller share is shown as less than this. */
const MIN_SHARE = 0.001;
/** A larger share would be rounded to 100 %, which is only for a game that has all votes. */
const MAX_PARTIAL_SHARE = 0.99;

/** Formats a number of votes: '1.234'. */
export function formatCount(votes: number): string {
  return count.format(votes);
}

/** Formats a number of votes with its unit: '1 voto', '12 votos'. */
export function formatVotes(votes: number): string {
  return resultTexts.votes(formatCount(votes), votes === 1);
}

/** Joins names: 'Uno, Dos y Tres'. */
export function formatNames(names: readonly string[]): string {
  return list.format(names);
}

/** Formats a number of votes for an axis tick: '12 mil', '5 M'. */
export function formatTick(votes: number): string {
  return tick.format(votes);
}

/** Formats a share of all votes: '34 %', '3,4 %', '< 0,1 %', or '0 %' without votes (SPEC W27). */
export function formatShare(votes: number, total: number): string {
  if (votes === 0 || votes === total) return share.format(votes === 0 ? 0 : 1);
  const part = Math.min(votes / total, MAX_PARTIAL_SHARE);
  return part < MIN_SHARE ? resultTexts.lessThan(share.format(MIN_SHARE)) : share.format(part);
}

/** Formats a duration to the second: '2 días, 3 h 12 min 05 s'. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const days = Math.floor(seconds / 86_400);
  const parts = [
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = days > 0 ? 0 : parts.findIndex(([value, unit]) => value > 0 || unit === 's');
  const time = parts
    .slice(first)
    .map(([value, unit], at) => `${at === 0 ? value : String(value).padStart(2, '0')}\u00a0${unit}`)
    .join(' ');
  return days > 0 ? `${days}\u00a0${days === 1 ? 'día' : 'días'}, ${time}` : time;
}
