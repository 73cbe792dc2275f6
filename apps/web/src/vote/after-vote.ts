import type { Standing } from '@goty/shared/game';
import { gotyTexts } from '@goty/shared/goty-texts';
import { formatVotes } from '../base/format.ts';
import { rank } from '../live/ranking.ts';

/** Says which place a game has and with how many votes; nothing if it has none. */
export function describePlace(standings: readonly Standing[], gameId: string): string {
  const { votos = 0 } = standings.find(({ id }) => id === gameId) ?? {};
  const { rankOf, gamesWith } = rank(standings);
  const place = rankOf(votos);
  if (place === undefined) return '';
  return gotyTexts.place(place, gamesWith(votos).length > 1, formatVotes(votos));
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
