import type { Nominee } from '@goty/shared/nominee';
import { shareTexts } from '@goty/shared/share-texts';
import { texts } from '@goty/shared/texts';
import { burst } from '../../base/confetti/burst.ts';
import type { Client } from '../../live/client.ts';
import { screenUrl, share } from '../../share/share.ts';
import { describePlace } from './describe-place.ts';

/** Where the game's place is known from: it comes with React, and rejects if that cannot be loaded. */
export type Results = Promise<Pick<Client, 'live' | 'voteStatus' | 'refresh'>>;

interface ThanksOptions {
  /** Whether the visitor has been thanked before: without trophy and burst. */
  readonly isAgain: boolean;
  readonly isStill: boolean;
  readonly results: Results;
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
  { isAgain, isStill, results, closed }: ThanksOptions,
) {
  const cover = popup.querySelector<HTMLImageElement>('.swal2-image');
  cover?.addEventListener('error', () => cover.setAttribute('src', TROPHY), { once: true });
  if (!isAgain) {
    const trophy = create('img', { className: 'goty-trophy', src: TROPHY, alt: '' });
    cover?.after(trophy);
    const confetti = { reach: 160, colors: COLORS, ms: 1_400 };
    if (!isStill) burst(popup.parentElement ?? document.body, trophy, confetti);
  }

  const place = create('p', { className: 'goty-place', role: 'status' });
  popup.querySelector('.swal2-html-container')?.after(place, ...createShare(nominee));

  showPlace(place, nominee, results, closed);
}

/** Shows the game's place from the first answer after the vote on, as it changes. The vote counts even without one. */
async function showPlace(
  place: HTMLElement,
  { id }: Nominee,
  results: Results,
  closed: AbortSignal,
) {
  const client = await results.catch(() => undefined);
  await client?.refresh();
  if (!client || closed.aborted) return;
  const { live, voteStatus } = client;
  const tell = () => {
    const { status, standings } = live.get();
    if (status !== 'live') return;
    const isSecret = voteStatus.get().resultPhase === 'frozen';
    place.textContent = isSecret ? texts.inicio.leads.frozen : describePlace(standings, id);
  };
  tell();
  closed.addEventListener('abort', live.subscribe(tell));
}

/** The button that shares the vote, and what became of that. Nothing without an address for others. */
function createShare({ name }: Nominee): HTMLElement[] {
  const url = screenUrl('/goty');
  if (url === undefined) return [];
  const button = create('button', {
    type: 'button',
    className: 'button quiet goty-share',
    textContent: shareTexts.share,
  });
  const outcome = create('p', { className: 'shared', role: 'status' });
  button.addEventListener('click', async () => {
    outcome.textContent = await share(shareTexts.voted(name), url);
  });
  return [button, outcome];
}

const TROPHY = '/trophy.svg';
/** The colours of nightLights (results/chart/bar-colors.ts) that are bright on both themes. */
const COLORS = ['#9c25a7', '#3065ab', '#a00fb3', '#6e51bd', '#b63cc3', '#6c97cb', '#b455be'];

function create<Tag extends 'button' | 'img' | 'p'>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
) {
  return Object.assign(document.createElement(tag), properties);
}
