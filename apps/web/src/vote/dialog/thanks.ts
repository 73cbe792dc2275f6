import type { Standing } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { voteTexts } from '@goty/shared/vote-texts';
import { formatVotes } from '../../base/format.ts';
import type { LiveSource } from '../../live/live-source.ts';
import { rank } from '../../live/ranking.ts';
import { screenUrl, share } from '../../share/share.ts';
import { burst } from './burst.ts';

/** Loads the source of the standings that costs nothing. Rejects if it cannot be loaded. */
export type LoadStandings = () => Promise<{ readonly standings: LiveSource }>;

interface ThanksOptions {
  readonly isStill: boolean;
  readonly loadStandings: LoadStandings;
}

/**
 * Adds to 'Gracias' the trophy, the game's place as it changes, and a way to share the vote. The
 * place appears once it is known, and the dialog does not wait for it.
 */
export function addThanks(
  popup: HTMLElement,
  nominee: Nominee,
  { isStill, loadStandings }: ThanksOptions,
): () => void {
  const cover = popup.querySelector<HTMLImageElement>('.swal2-image');
  cover?.addEventListener('error', () => cover.setAttribute('src', TROPHY), { once: true });
  const trophy = create('img', 'goty-trophy');
  trophy.src = TROPHY;
  trophy.alt = '';
  cover?.after(trophy);
  if (!isStill) burst(popup);

  const place = create('p', 'goty-place');
  place.role = 'status';
  const shareButton = create('button', 'goty-share', voteTexts.share);
  shareButton.type = 'button';
  const outcome = create('p', 'goty-shared');
  outcome.role = 'status';
  const url = screenUrl('/goty');
  shareButton.addEventListener('click', async () => {
    const result = await share(voteTexts.voted(nominee.name), url);
    if (result === 'copied') outcome.textContent = voteTexts.copied;
    if (result === 'impossible') outcome.textContent = voteTexts.copyThis(url);
  });
  popup.querySelector('.swal2-html-container')?.after(place, shareButton, outcome);

  let isClosed = false;
  let stopListening = () => {};
  loadStandings().then(
    ({ standings }) => {
      if (isClosed) return;
      stopListening = standings((event) => {
        if (event.type !== 'standings') return;
        place.textContent = describePlace(event.standings, nominee.id);
      });
    },
    // The vote counts even if the place cannot be shown.
    () => {},
  );
  return () => {
    isClosed = true;
    stopListening();
  };
}

const TROPHY = '/trophy.svg';

/** Says which place a game has and with how many votes; nothing if it has none. */
export function describePlace(standings: readonly Standing[], gameId: string): string {
  const { votos = 0 } = standings.find(({ id }) => id === gameId) ?? {};
  const { rankOf, gamesWith } = rank(standings);
  const place = rankOf(votos);
  if (place === undefined) return '';
  return voteTexts.place(place, gamesWith(votos).length > 1, formatVotes(votos));
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, text = '') {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
