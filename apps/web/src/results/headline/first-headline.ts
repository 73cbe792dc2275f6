import { type Answer, phasesAt } from '../../live/ask.ts';
import { headlineAt } from './headline.ts';

// React and the chart take seconds to load on a slow line. The server's answer is there long before.

/** Shows the headline in place of its skeleton, exactly as `StandingsHeadline` will. */
export function showFirstHeadline({ status, standings, at }: Answer) {
  const box = document.querySelector('[data-headline]');
  if (!box || standings.length === 0) return;
  const now = status.now + Date.now() - at;
  const phases = phasesAt(now, status);
  const { title, detail, kind } = headlineAt(standings, { ...status, ...phases });
  const words = document.createElement('div');
  words.append(element('h2', title), element('p', detail));
  box.replaceChildren(...(kind === 'won' || kind === 'empty' ? [trophy()] : []), words);
  box.setAttribute('data-kind', kind);
}

function element(name: 'h2' | 'p', text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}

function trophy(): HTMLImageElement {
  const image = { alt: '', width: 72, height: 72, src: '/trophy.svg' };
  return Object.assign(document.createElement('img'), image);
}
