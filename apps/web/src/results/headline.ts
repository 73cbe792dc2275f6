import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { formatCount, formatNames, formatShare, formatVotes } from '../base/format.ts';
import { rank } from '../live/ranking.ts';
import { isolate } from './chart/names.ts';

/** More names would be too long to read. */
const MAX_NAMED = 3;

export interface Headline {
  readonly title: string;
  readonly detail: string;
  readonly isWon: boolean;
}

/** Says who leads and by how much; after the close, who has won (SPEC W60, W62). */
export function headline(standings: readonly Standing[], isClosed: boolean): Headline {
  const { leaders, seconds, most, total } = rank(standings);
  const [leader] = leaders;
  const { none, noneClosed, first, leads, wins, ties, tiesClosed } = resultTexts;
  if (!leader) {
    return { title: isClosed ? noneClosed : none, detail: isClosed ? '' : first, isWon: false };
  }
  if (leaders.length > 1) {
    const title = isClosed ? tiesClosed : ties;
    return { title, detail: resultTexts.each(name(leaders), formatVotes(most)), isWon: false };
  }
  const share = formatShare(most, total);
  const lead = most - (seconds[0]?.votos ?? 0);
  const ahead = seconds.length > 0 ? resultTexts.ahead(formatCount(lead), name(seconds)) : '';
  return {
    title: isClosed ? wins(isolate(leader.name)) : leads(isolate(leader.name)),
    detail: `${resultTexts.with(formatVotes(most), share)}${ahead}.`,
    isWon: isClosed,
  };
}

function name(games: readonly Standing[]): string {
  return games.length > MAX_NAMED
    ? resultTexts.games(games.length)
    : formatNames(games.map((game) => isolate(game.name)));
}
