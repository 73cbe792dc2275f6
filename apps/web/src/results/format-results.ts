import { texts } from '@goty/shared/texts';

// Apart from format.ts, which is part of the first JavaScript (SPEC W15).

const list = new Intl.ListFormat('es');
const tick = new Intl.NumberFormat('es', { notation: 'compact' });
const share = new Intl.NumberFormat('es', { style: 'percent', maximumSignificantDigits: 2 });

/** A smaller share is shown as less than this. */
const MIN_SHARE = 0.001;
/** More would be rounded to 100 %, which is for the only game with votes. */
const MAX_PARTIAL_SHARE = 0.99;

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
  return part < MIN_SHARE ? texts.inicio.lessThan(share.format(MIN_SHARE)) : share.format(part);
}
