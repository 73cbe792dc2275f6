import { colorsOf, initialsOf, isCoverUrl, type Nominee } from '@goty/shared/nominee';
import { fillCard } from '@goty/shared/page-html';
import { voteTexts } from '@goty/shared/vote-texts';
import type { NomineeStore } from '../live/nominees.ts';
import type { VoteCaster } from './cast-vote.ts';

// boot.ts has the cards made from a template in the HTML, and React takes over the same elements.

/** How many covers are loaded even before they are in sight: one row of cards on a wide screen. */
export const FIRST_COVERS = 4;
/** With more games than this, there is a search, for which room is kept above the cards. */
export const SEARCHED_FROM = 24;

/** Shows the nominees on the screen goty, exactly as React will. Does nothing without nominees, or once React has taken over. */
export function showFirstCards({ state }: NomineeStore) {
  const template = document.querySelector('template');
  const main = document.querySelector('main');
  const { nominees } = state.get();
  if (!template || !main || !nominees?.length) return;
  // The card still belongs to the template's own document, so that its placeholders load nothing.
  const card = template.content.querySelector('[data-nominee]');
  if (nominees.length > SEARCHED_FROM) card?.parentElement?.setAttribute('data-many', 'true');
  card?.replaceWith(fill(card.outerHTML, nominees));
  main.replaceChildren(template.content);
  template.remove();
  state.prerendered = state.get();
}

function fill(card: string, nominees: readonly Nominee[]): DocumentFragment {
  const filled = document.createElement('template');
  filled.innerHTML = nominees.map((nominee) => fillCard(card, nominee)).join('');
  const { content } = filled;
  const colors = colorsOf(nominees);
  for (const [index, { name, url }] of nominees.entries()) {
    const item = content.children[index];
    item?.setAttribute('data-color', `${colors[index]}`);
    item?.querySelector('[data-initials]')?.setAttribute('data-initials', initialsOf(name));
    const cover = item?.querySelector('img');
    if (!isCoverUrl(url)) cover?.remove();
    if (index >= FIRST_COVERS) cover?.setAttribute('loading', 'lazy');
  }
  return content;
}

/**
 * Casts a vote for each press on a first card, by mouse, touch or keyboard, unless another vote is in progress.
 *
 * @returns the function that hands the screen over to React
 */
export function castFirstPresses({ cast, voting }: VoteCaster): () => void {
  document.addEventListener('click', handle);
  return () => {
    document.removeEventListener('click', handle);
    document.querySelector('template')?.remove();
  };

  function handle({ target }: Event) {
    const id = target instanceof Element && target.closest('button') && gameOf(target);
    if (!id || voting.get() !== undefined) return;
    const unsubscribe = voting.subscribe(mark);
    cast(id).then((toResult) => {
      unsubscribe();
      if (toResult) window.location.assign(voteTexts.yourResult);
    });
  }

  /** Shows which vote is in progress. Changes attributes only, because React expects to find elements and texts unchanged. */
  function mark() {
    const current = voting.get();
    for (const button of document.querySelectorAll('[data-nominee] button')) {
      const isBusy = current === gameOf(button);
      button.setAttribute('aria-disabled', `${current !== undefined}`);
      button.setAttribute('aria-busy', `${isBusy}`);
    }
  }
}

function gameOf(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-nominee]')?.dataset.nominee;
}
