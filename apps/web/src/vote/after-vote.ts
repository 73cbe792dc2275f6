import { gotyTexts } from '@goty/shared/goty-texts';
import { rankStandings } from '@goty/shared/ranking';
import { formatVotes } from '../base/format.ts';
import { isPublic } from '../live/fetch-standings.ts';
import type { LiveState } from '../live/live-state.ts';

type Known = Pick<LiveState, 'status' | 'standings' | 'connection'>;

/** Says which place a game has; '' while the place is secret or not known, or if the game has no votes and so no place. */
export function describePlace(known: Known, gameId: string): string {
  const { status, standings = [], connection } = known;
  if (!isPublic(status.phase) || connection !== 'live') return '';
  const { votos = 0 } = standings.find(({ id }) => id === gameId) ?? {};
  const { rankOf, gamesWith } = rankStandings(standings);
  const place = rankOf(votos);
  if (place === undefined) return '';
  const isShared = gamesWith(votos).length > 1;
  return gotyTexts.place(place, isShared, formatVotes(votos), status.phase === 'closed');
}

/**
 * Scrolls a focused button clear of the bar: when a bar has come and when the focus is back from the closed dialog, since either
 * may be later. A button below the window stays there: the visitor has pressed the card's cover, and would lose sight of it.
 */
export function uncoverFocus() {
  const button = document.querySelector('[data-nominee] button:focus');
  if (!button || button.getBoundingClientRect().top > window.innerHeight) return;
  button.scrollIntoView({ block: 'nearest' });
}
