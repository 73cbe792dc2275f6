import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';

/** The visitor's region, if its language is that of the page. */
const REGION = /^es-/.test(navigator.language) ? navigator.language : 'es';

// 'always', because Spanish does not group four-digit numbers by default, and then columns of votes
// would look ragged.
const count = new Intl.NumberFormat(REGION, { useGrouping: 'always' });
const list = new Intl.ListFormat('es');
const tick = new Intl.NumberFormat(REGION, { notation: 'compact' });
const percent = (digits: number) =>
  new Intl.NumberFormat(REGION, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const whole = percent(0);
/** By the number of decimals. */
const shares = [whole, percent(1), percent(2)];

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

/**
 * Returns how to format a share of all votes: '34 %', '< 1 %', or '0 %' without votes (SPEC W27).
 * All shares of a vote have the same decimals: none, unless the first two would read the same.
 */
export function shareFormat(standings: readonly Pick<Standing, 'votos'>[]): ShareFormat {
  const total = totalVotes(standings);
  const first = Math.max(0, ...standings.map(({ votos }) => votos));
  const second = Math.max(0, ...standings.map(({ votos }) => (votos < first ? votos : 0)));
  const formats = shares.map((share, digits) => withDigits(share, 10 ** -(digits + 2), total));
  const isClear = (format: ShareFormat) => format(first) !== format(second);
  return formats.find(isClear) ?? withDigits(whole, 0.01, total);
}

type ShareFormat = (votes: number) => string;

/** @param unit the smallest share that can be told from none, and from all of the votes */
function withDigits(share: Intl.NumberFormat, unit: number, total: number): ShareFormat {
  return (votes) => {
    if (votes === 0 || votes === total) return share.format(votes === 0 ? 0 : 1);
    const part = Math.min(votes / total, 1 - unit);
    return part < unit ? resultTexts.lessThan(share.format(unit)) : share.format(part);
  };
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
