import type { VoteResponse } from '@goty/shared/game';
import { buildNominee } from '@goty/shared/testing/nominee';
import { texts } from '@goty/shared/texts';
import { act, cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HADES, renderPage } from '../../testing/render-page.tsx';
import { ListFailure } from './api.ts';

test('W6 goty shows a card for each nominee: image, name, text and button', async () => {
  renderPage({ path: '/goty' });
  screen.getByRole('heading', { level: 1, name: 'votar por el juego del año' });
  const cards = await screen.findAllByRole('article');
  expect(cards).toHaveLength(2);
  const card = within(screen.getByRole('article', { name: 'Hades II' }));
  // Decorative: the name is beside it.
  expect(coverOf('Hades II')?.getAttribute('src')).toBe('/covers/hades-2.svg');
  expect(coverOf('Hades II')?.getAttribute('alt')).toBe('');
  card.getByRole('heading', { level: 2, name: 'Hades II' });
  card.getByText('Click aqui para votar');
  expect(card.getByRole('button', { name: 'Votar Hades II' }).textContent).toBe('Votar');
});

test('W6 a cover that does not load is replaced by a placeholder', async () => {
  renderPage({ path: '/goty' });
  await screen.findByRole('article', { name: 'Hades II' });
  act(() => void coverOf('Hades II')?.dispatchEvent(new Event('error')));
  expect(coverOf('Hades II')).toBeNull();
});

function coverOf(name: string) {
  return screen.getByRole('article', { name }).querySelector('img');
}

test("W36 a card reads as name, 'Tu voto', text, button", async () => {
  localStorage.setItem('goty-last-vote', 'hades-2');
  renderPage({ path: '/goty' });
  const card = await screen.findByRole('article', { name: 'Hades II' });
  expect(card.textContent).toBe('Hades IITu votoClick aqui para votarVotar');
});

test('W7 a vote is sent for the nominee, and its outcome is shown', async () => {
  const { user, votes, outcomes } = renderPage({ path: '/goty' });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  expect(votes).toEqual(['hades-2']);
  expect(outcomes).toEqual([{ ok: true, mensaje: 'Contado' }]);
});

test('W21 the card of the last vote is labelled until the next, also after a reload', async () => {
  localStorage.clear();
  const { user } = renderPage({ path: '/goty' });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  within(screen.getByRole('article', { name: 'Hades II' })).getByText('Tu voto');
  cleanup();
  const { user: later } = renderPage({ path: '/goty' });
  within(await screen.findByRole('article', { name: 'Hades II' })).getByText('Tu voto');
  await later.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  within(screen.getByRole('article', { name: 'Blue Prince' })).getByText('Tu voto');
  expect(screen.getAllByText('Tu voto')).toHaveLength(1);
});

test('W21 a vote in another tab moves the label', async () => {
  localStorage.clear();
  renderPage({ path: '/goty' });
  await screen.findAllByRole('article');
  localStorage.setItem('goty-last-vote', 'hades-2');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'goty-last-vote' })));
  const card = screen.getByRole('article', { name: 'Hades II' });
  within(card).getByText('Tu voto');
  const described = within(card).getByRole('button').getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe('Tu voto');
});

test('W21 a vote that is not counted is not labelled', async () => {
  localStorage.clear();
  const { user } = renderPage({ path: '/goty', vote: async () => ({ ok: false, mensaje: 'No' }) });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  expect(screen.queryByText('Tu voto')).toBeNull();
});

test('W6 a cover with an invalid URL is not requested', async () => {
  const url = 'javascript:alert(1)';
  renderPage({ path: '/goty', load: async () => [buildNominee({ name: 'Uno', url })] });
  await screen.findByRole('article', { name: 'Uno' });
  expect(coverOf('Uno')).toBeNull();
});

test('W9 while a vote is in progress, a press does nothing and the button says so', async () => {
  const response = Promise.withResolvers<VoteResponse>();
  const { user, votes } = renderPage({ path: '/goty', vote: () => response.promise });
  const button = await screen.findByRole('button', { name: 'Votar Hades II' });
  await user.dblClick(button);
  await user.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  expect(votes).toEqual(['hades-2']);
  expect(button.textContent).toBe(texts.goty.voting);
  expect(button.getAttribute('aria-busy')).toBe('true');
  await act(async () => response.resolve({ ok: true, mensaje: 'Contado' }));
  expect(button.textContent).toBe('Votar');
  await user.click(button);
  expect(votes).toEqual(['hades-2', 'hades-2']);
});

test('W33 a failed list says why, and is loaded again when the connection is back', async () => {
  let isDown = true;
  const load = async () => {
    if (isDown) throw new ListFailure('unreachable');
    return [HADES];
  };
  renderPage({ path: '/goty', load });
  await screen.findByText(texts.states.failures.unreachable);
  isDown = false;
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findAllByRole('article')).toHaveLength(1);
});

test('W11 a failed list can be retried', async () => {
  let isDown = true;
  const load = async () => {
    if (isDown) throw new Error('down');
    return [HADES];
  };
  const { user } = renderPage({ path: '/goty', load });
  await screen.findByText(texts.goty.failed);
  isDown = false;
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(await screen.findAllByRole('article')).toHaveLength(1);
});
