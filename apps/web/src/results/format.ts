import { texts } from '@goty/shared/texts';

// 'always': Spanish leaves four-digit numbers ungrouped, which makes a column of votes ragged.
const count = new Intl.NumberFormat('es', { useGrouping: 'always' });
const list = new Intl.ListFormat('es');
const tick = new Intl.NumberFormat('es', { notation: 'compact' });
const share = new Intl.NumberFormat('es', { style: 'percent', maximumFractionDigits: 0 });

/** '1.234' */
export function formatCount(votes: number): string {
  return count.format(votes);
}

/** 'Uno, Dos y Tres' */
export function formatNames(names: readonly string[]): string {
  return list.format(names);
}

/** '12 mil', '5 M': a place on the axis. */
export function formatTick(votes: number): string {
  return tick.format(votes);
}

/** '1 voto', '12 votos' */
export function formatVotes(votes: number): string {
  return texts.inicio.votes(formatCount(votes), votes === 1);
}

/** '34 %' of all votes; '0 %' while there are none. */
export function formatShare(votes: number, total: number): string {
  return share.format(total === 0 ? 0 : votes / total);
}
