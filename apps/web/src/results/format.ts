import { texts } from '@goty/shared/texts';

// 'always': by default Spanish does not group four-digit numbers, and columns of votes look ragged.
const count = new Intl.NumberFormat('es', { useGrouping: 'always' });

/** Formats a number of votes: '1.234'. */
export function formatCount(votes: number): string {
  return count.format(votes);
}

/** Formats a number of votes with its unit: '1 voto', '12 votos'. */
export function formatVotes(votes: number): string {
  return texts.inicio.votes(formatCount(votes), votes === 1);
}
