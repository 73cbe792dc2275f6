import { RESULT_TOLD_MS } from '@goty/shared/protocol';
import { type FetchedStandings, votePhaseAt } from '../live/fetch-standings.ts';
import { headlineAt, titleWithoutName } from '../results/headline.ts';

/** The headline is exactly that of results.tsx, which takes seconds to load on a slow line. */
export function showFirstHeadline({ status, standings, at }: FetchedStandings) {
  const box = document.querySelector('[data-headline]');
  if (!box || standings.length === 0) return;
  const now = status.now + performance.now() - at;
  const phase = votePhaseAt(now, status);
  // As long as other screens have not named the winner, this one must not, although it has just been opened (SPEC W146).
  const isTold = now - (status.closesAt ?? 0) >= RESULT_TOLD_MS;
  const shownPhase = phase === 'closed' && !isTold ? 'counting' : phase;
  const headline = headlineAt(standings, { ...status, phase: shownPhase });
  const { name, detail, kind } = headline;
  const createElement = (tag: string, properties: object, ...children: (Node | string)[]) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const game = name ? [createElement('bdi', { translate: false }, name), ' '] : [];
  const title = createElement(
    'h2',
    {},
    ...game,
    createElement('span', {}, titleWithoutName(headline)),
  );
  const trophy = createElement('img', { alt: '', width: 72, height: 72, src: '/trophy.svg' });
  box.replaceChildren(createElement('div', {}, title, createElement('p', {}, detail)));
  if (kind === 'won' || kind === 'empty') box.prepend(trophy);
  box.setAttribute('data-kind', kind);
}
