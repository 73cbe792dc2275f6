import type { Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { burst } from '../../base/confetti/burst.ts';
import type { LiveSource } from '../../live/live-source.ts';
import { screenUrl, share } from '../../share/share.ts';
import { describePlace } from './describe-place.ts';

/** Loads the source of the standings that costs nothing. Rejects if it cannot be loaded. */
export type LoadStandings = () => Promise<{ readonly standings: LiveSource }>;

interface ThanksOptions {
  /** Whether the visitor has been thanked before: without trophy and burst. */
  readonly isAgain: boolean;
  readonly isStill: boolean;
  readonly loadStandings: LoadStandings;
  /** Aborted when the dialog is closed. */
  readonly closed: AbortSignal;
}

/**
 * Adds to 'Gracias' the trophy, the game's place as it changes, and a way to share the vote. The
 * place appears once it is known, and the dialog does not wait for it.
 */
export function addThanks(
  popup: HTMLElement,
  nominee: Nominee,
  { isAgain, isStill, loadStandings, closed }: ThanksOptions,
) {
  const cover = popup.querySelector<HTMLImageElement>('.swal2-image');
  cover?.addEventListener('error', () => cover.setAttribute('src', TROPHY), { once: true });
  if (!isAgain) cover?.after(create('img', { className: 'goty-trophy', src: TROPHY, alt: '' }));
  if (!isAgain && !isStill) celebrate(popup);

  const place = create('p', { className: 'goty-place', role: 'status' });
  popup.querySelector('.swal2-html-container')?.after(place, ...createShare(nominee));

  loadStandings().then(
    ({ standings }) => {
      if (closed.aborted) return;
      const stopListening = standings((event) => {
        if (event.type !== 'standings') return;
        place.textContent = event.isFrozen
          ? texts.inicio.leads.frozen
          : describePlace(event.standings, nominee.id);
      });
      closed.addEventListener('abort', stopListening);
    },
    // The vote counts even if the place cannot be shown.
    () => {},
  );
}

/** The button that shares the vote, and what became of that. Nothing without an address for others. */
function createShare({ name }: Nominee): HTMLElement[] {
  const url = screenUrl('/goty');
  if (url === undefined) return [];
  const button = create('button', {
    type: 'button',
    className: 'button quiet goty-share',
    textContent: voteTexts.share,
  });
  const outcome = create('p', { className: 'shared', role: 'status' });
  button.addEventListener('click', async () => {
    outcome.textContent = await share(voteTexts.voted(name), url);
  });
  return [button, outcome];
}

const TROPHY = '/trophy.svg';
/** The colours of nightLights (results/chart/bar-colors.ts) that are bright on both themes. */
const COLORS = ['#9c25a7', '#3065ab', '#a00fb3', '#6e51bd', '#b63cc3', '#6c97cb', '#b455be'];

/** Confetti from behind the trophy. */
function celebrate(popup: HTMLElement) {
  const { left, top, width } = popup.getBoundingClientRect();
  const origin = popup.querySelector('.goty-trophy')?.getBoundingClientRect();
  burst(popup.parentElement ?? document.body, {
    x: left + width / 2,
    y: origin ? origin.top + origin.height / 2 : top,
    reach: 160,
    colors: COLORS,
    ms: 1_400,
  });
}

function create<Tag extends 'button' | 'img' | 'p'>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
) {
  return Object.assign(document.createElement(tag), properties);
}
