import { texts } from '@goty/shared/texts';

// 'always': by default Spanish does not group four-digit numbers, and columns of votes look ragged.
const count = new Intl.NumberFormat('es', { useGrouping: 'always' });
const list = new Intl.ListFormat('es');
const tick = new Intl.NumberFormat('es', { notation: 'compact' });
const share = new Intl.NumberFormat('es', { style: 'percent', maximumFractionDigits: 0 });

/** Formats a number of votes: '1.234'. */
export function formatCount(votes: number): string {
  return count.format(votes);
}

/** Joins names: 'Uno, Dos y Tres'. */
export function formatNames(names: readonly string[]): string {
  return list.format(names);
}

/** Formats a number of votes for an axis tick: '12 mil', '5 M'. */
export function formatTick(votes: number): string {
  return tick.format(votes);
}

/** Formats a number of votes with its unit: '1 voto', '12 votos'. */
export function formatVotes(votes: number): string {
  return texts.inicio.votes(formatCount(votes), votes === 1);
}

/** Formats a share of all votes: '34 %', or '0 %' if there are none. */
export function formatShare(votes: number, total: number): string {
  return share.format(total === 0 ? 0 : votes / total);
}
