import { gotyTexts } from '@goty/shared/goty-texts';
import { rankStandings } from '@goty/shared/ranking';
import { formatVotes } from '../base/format.ts';
import { isPublic } from '../live/fetch-standings.ts';
import type { LiveState } from '../live/live-state.ts';

type Known = Pick<LiveState, 'status' | 'standings' | 'connection'>;

/** Says which place a game has or had, and with how many votes; nothing while that is secret or not known, or if it has none. */
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
 * Scrolls the focused button of a card out from under the bar that comes with a vote. Either of the two may
 * be the last: the bar, or the focus, which returns to the button when the dialog has closed. A button that
 * is below the window, because the cover was pressed, stays there.
 */
export function uncoverFocus() {
  const button = document.querySelector('[data-nominee] button:focus');
  if (!button || button.getBoundingClientRect().top > window.innerHeight) return;
  button.scrollIntoView({ block: 'nearest' });
}
