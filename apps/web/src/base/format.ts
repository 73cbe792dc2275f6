import { type Standing, totalVotes } from '@goty/shared/game';
import { LANGUAGE } from '@goty/shared/protocol';
import { resultTexts } from '@goty/shared/result-texts';

/** Numbers are written as in the visitor's country, if its language is that of the page. */
const REGION = navigator.language.startsWith(`${LANGUAGE}-`) ? navigator.language : LANGUAGE;

/** Numbers for Spain do without Intl, whose first use would delay the headline by 0.1 s on a slow phone. */
const isSpain = /^es(-ES)?$/.test(REGION);

const percent = (digits: number) =>
  isSpain
    ? // The share is multiplied as text: 0.145 * 100 is less than 14.5.
      (share: number) => `${write(Math.round(Number(`${share}e${digits + 2}`)), digits)}\u00a0%`
    : onDemand({ style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });
const whole = percent(0);
const shares = [whole, percent(1), percent(2)];

/** Thousands are always separated: Spanish would not separate them in numbers of four digits, and columns would look ragged. */
export const formatCount = isSpain
  ? (votes: number) => write(votes, 0)
  : onDemand({ useGrouping: 'always' });

const compact = onDemand({ notation: 'compact' });

/** Writes a whole number as in Spain, with its last digits as decimals: '1.234', '7,3'. */
function write(number: number, decimals: number): string {
  const digits = String(number).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const whole = digits.slice(0, at).replace(/\B(?=(\d{3})+$)/g, '.');
  return decimals > 0 ? `${whole},${digits.slice(at)}` : whole;
}

function onDemand(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat['format'] | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat(REGION, options).format;
    return format(value);
  };
}

/** Formats a number of votes for an axis tick: '1.500', '12 mil', '5 M'. */
export function formatTick(votes: number): string {
  return votes < 10_000 ? formatCount(votes) : compact(votes);
}

export function formatVotes(votes: number): string {
  return resultTexts.votes(formatCount(votes), votes === 1);
}

/** Returns the format of all shares: without decimals, unless the two highest would then read the same (SPEC W112). */
export function shareFormat(standings: readonly Pick<Standing, 'votos'>[]): ShareFormat {
  const total = totalVotes(standings);
  const first = Math.max(0, ...standings.map(({ votos }) => votos));
  const second = Math.max(0, ...standings.map(({ votos }) => (votos < first ? votos : 0)));
  const formats = shares.map((share, digits) => withDigits(share, 10 ** -(digits + 2), total));
  const isClear = (format: ShareFormat) => format(first) !== format(second);
  return formats.find(isClear) ?? withDigits(whole, 0.01, total);
}

type ShareFormat = (votes: number) => string;

/** @param unit the smallest share that these decimals can write, such as 0.01. Smaller shares are written as '< 1 %' */
function withDigits(format: (share: number) => string, unit: number, total: number): ShareFormat {
  return (votes) => {
    if (votes === 0 || votes === total) return format(votes === 0 ? 0 : 1);
    const share = Math.min(votes / total, 1 - unit);
    return share < unit ? resultTexts.lessThan(format(unit)) : format(share);
  };
}

const DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;
const DAY_MS = 86_400_000;

/** Formats a time as it follows a verb: 'hoy a las 17:15', 'el jueves 31 de diciembre a las 20:00'. */
export function formatTime(time: number): string {
  const date = new Date(time);
  const today = new Date();
  const days = Math.round((startOfDay(time) - startOfDay(Date.now())) / DAY_MS);
  const isThisYear = date.getFullYear() === today.getFullYear();
  const day = date
    .toLocaleDateString(LANGUAGE, isThisYear ? DAY : { ...DAY, year: 'numeric' })
    .replace(',', '');
  const when =
    Math.abs(days) <= 1
      ? new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }).format(days, 'day')
      : `el ${day}`;
  return `${when} ${date.getHours() === 1 ? 'a la' : 'a las'} ${formatHour(time)}`;
}

function formatHour(time: number): string {
  return new Date(time).toLocaleTimeString(LANGUAGE, { hour: '2-digit', minute: '2-digit' });
}

/** Formats a range of time in the visitor's zone: 'de 20:41 a 20:45', 'desde ayer a las 23:50 hasta hoy a las 0:10'. */
export function formatRange(from: number, to: number): string {
  const isToday = [from, to].every((time) => startOfDay(time) === startOfDay(Date.now()));
  return isToday
    ? resultTexts.range(formatHour(from), formatHour(to))
    : resultTexts.daysRange(formatTime(from), formatTime(to));
}

/** Formats a time in the form that follows a preposition: 'las 17:15', 'ayer a las 17:15'. */
export function formatMoment(time: number): string {
  return formatTime(time).replace(/^hoy a /, '');
}

/** Some days have 23 or 25 hours, so the difference of two starts has to be rounded to whole days. */
function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
