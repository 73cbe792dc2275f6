import type { VoteResponse } from '@goty/shared/game';
import { shareButtonTexts } from '@goty/shared/result-texts';
import { buildNominee } from '@goty/shared/testing/nominee';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { act, cleanup, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildLive, COUNTED } from '../../testing/builders.ts';
import { HADES, HADES_LEADS, renderGoty, renderPage } from '../../testing/render-page.tsx';
import type { LoadNominees } from '../live/nominees.ts';

// Here, so that no test waits for it while its time is fake.
await import('./goty-late.tsx');

test('W6 W36 goty has a card for each nominee: name, text, button and image, unless it does not load', async () => {
  const { card } = await renderGoty();
  screen.getByRole('heading', { level: 1, name: 'votar por el juego del año' });
  expect(screen.getAllByRole('article')).toHaveLength(2);
  const cover = card.querySelector('img');
  expect(cover?.getAttribute('src')).toBe('/covers/hades-2.svg');
  // Decorative: the name is beside it.
  expect(cover?.getAttribute('alt')).toBe('');
  within(card).getByRole('heading', { level: 2, name: 'Hades II' });
  within(card).getByText('Click aqui para votar');
  expect(within(card).getByRole('button', { name: 'Votar Hades II' }).textContent).toBe('Votar');
  act(() => void cover?.dispatchEvent(new Event('error')));
  expect(card.querySelector('img')).toBeNull();
});

test('W21 W36 the card of the last vote is labelled until the next, also after a reload and by another tab', async () => {
  const { user, button, card } = await renderGoty();
  await user.click(button);
  expect(card.textContent).toBe('Hades IITu votoClick aqui para votarVotar');
  cleanup();
  const { user: later, card: reloaded } = await renderGoty();
  within(reloaded).getByText('Tu voto');
  await later.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  within(screen.getByRole('article', { name: 'Blue Prince' })).getByText('Tu voto');
  localStorage.setItem('goty-last-vote', 'hades-2  v');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'goty-last-vote' })));
  within(reloaded).getByRole('button', { description: 'Tu voto' });
  expect(screen.getAllByText('Tu voto')).toHaveLength(1);
});

test('W7 W9 while a vote is in progress, on any screen, a press does nothing and the button says so', async () => {
  const response = Promise.withResolvers<VoteResponse>();
  const { user, votes, outcomes, button } = await renderGoty({ vote: () => response.promise });
  await user.dblClick(button);
  await user.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  await user.click(screen.getByRole('link', { name: 'Inicio' }));
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  const again = screen.getByRole('button', { name: /Hades II/, busy: true });
  await user.click(again);
  expect(votes()).toEqual(['hades-2']);
  expect(again.textContent).toBe(texts.goty.voting);
  await act(async () => response.resolve(COUNTED));
  expect(again.textContent).toBe('Votar');
  expect(outcomes).toEqual([COUNTED]);
  await user.click(again);
  expect(votes()).toEqual(['hades-2', 'hades-2']);
});

test('W11 W33 a failed list says why, and is loaded again at a press, or once the connection is back', async () => {
  const load = vi.fn<LoadNominees>(async () => [HADES]).mockResolvedValueOnce('broken');
  load.mockResolvedValueOnce('unreachable');
  const { user } = renderPage({ path: '/goty', load });
  await screen.findByText(texts.goty.failed);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  await screen.findByText(voteTexts.failures.unreachable);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findAllByRole('article')).toHaveLength(1);
});

test('W101 after a vote a bar says for which game, its place unless that is secret, and leads to the result', async () => {
  const { user, button, path, emit, setStatus } = await renderGoty();
  expect(screen.queryByRole('complementary')).toBeNull();
  await user.click(button);
  const bar = await screen.findByRole('complementary', { name: 'Tu voto' });
  const said = () => bar.querySelector('p')?.textContent;
  expect(said()).toBe('Tu voto: Hades II');
  await emit();
  expect(said()).toBe('Tu voto: Hades II · Va en cabeza, con 12 votos');
  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 7 }))));
  expect(said()).toBe('Tu voto: Hades II · Empata en cabeza, con 7 votos');
  await setStatus({ phase: 'frozen' });
  expect(said()).toBe('Tu voto: Hades II');
  within(bar).getByRole('button', { name: shareButtonTexts.share });
  await setStatus({ phase: 'before' });
  expect(screen.queryByRole('complementary')).toBeNull();
  await setStatus({});
  const link = within(await screen.findByRole('complementary')).getByRole('link');
  expect(link.getAttribute('href')).toBe('/inicio#tu-voto');
  await user.click(link);
  expect(path()).toBe('/inicio');
});

test('W101 W146 a result that is revealed is told in the bar once all screens tell it', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  localStorage.setItem('goty-last-vote', 'hades-2  v');
  const page = renderPage({ path: '/goty' });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(100);
  await page.emit();
  await page.setStatus({ phase: 'held', listRevision: 'r' });
  await pass(100);
  const said = () => screen.getByRole('complementary').querySelector('p')?.textContent;
  await page.setStatus({ phase: 'closed', listRevision: 'r' });
  for (const ms of [2_000, 2_000, 900]) await pass(ms);
  expect(said()).toBe('Tu voto: Hades II');
  await pass(200);
  expect(said()).toBe('Tu voto: Hades II · Ha ganado, con 12 votos');
});

test('W11 while nothing is known, goty says so, and no card invites to vote; a press is sent all the same', async () => {
  const load = vi.fn<LoadNominees>(() => new Promise(() => {}));
  renderPage({ path: '/goty', load });
  screen.getByText(texts.inicio.status.loading, { exact: false });
  expect(screen.queryByText(texts.goty.notices.open, { exact: false })).toBeNull();
  cleanup();
  const { user, button, emit, votes } = await renderGoty();
  await emit({ ...buildLive(HADES_LEADS), connection: 'offline' });
  await screen.findByText(voteTexts.failures.unreachable);
  const section = document.querySelector('section');
  expect(section?.dataset.bar).toBe('offline');
  await user.click(button);
  expect(votes()).toEqual(['hades-2']);
  const bar = await screen.findByRole('complementary', { name: 'Tu voto' });
  expect(bar.querySelector('p')?.textContent).toBe('Tu voto: Hades II · Sin conexión');
  expect(section?.dataset.bar).toBe('offline');
  await emit();
  expect(section?.dataset.bar).toBe('');
});

const MANY = Array.from({ length: 25 }, (_, at) =>
  buildNominee({ id: `g${at}`, name: at < 2 ? `Pokémon Ñandú ${at}` : `Juego ${at}` }),
);

test('W122 more than 24 games can be searched, whatever accents and case', async () => {
  renderPage({ path: '/goty', load: async () => MANY.slice(1) });
  expect(await screen.findAllByRole('article')).toHaveLength(24);
  expect(screen.queryByRole('searchbox')).toBeNull();
  cleanup();
  const { user, votes } = renderPage({ path: '/goty', load: async () => MANY });
  const field = await screen.findByRole('searchbox', { name: 'Buscar un juego' });
  for (const [text, told, count] of [
    ['NANDU', '2 juegos encontrados', 2],
    ['pokemon ñandú 1', '1 juego encontrado', 1],
    ['Zelda', 'No hay ningún juego con «Zelda».', 0],
    ['  ', undefined, 25],
  ] as const) {
    await user.clear(field);
    await user.type(field, text);
    expect(screen.queryAllByRole('article')).toHaveLength(count);
    if (told) expect(screen.getByText(told).role).toBe('status');
  }
  await user.type(field, 'Zelda');
  await user.click(screen.getByRole('button', { name: 'Ver todos los juegos' }));
  expect(screen.queryAllByRole('article')).toHaveLength(25);
  await user.type(field, 'juego 7');
  await user.click(screen.getByRole('button', { name: 'Votar Juego 7' }));
  expect(votes()).toEqual(['g7']);
});
