import type { VoteResponse } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage, STANDINGS } from '../../testing/render-page.tsx';

// jsdom has no canvas; the end-to-end tests see the real one.
vi.mock('../results/results-chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={texts.inicio.chartLabel} />,
}));

test('W1 the bar has the brand with a trophy, the title and two links, the current one marked', async () => {
  const { path, user } = renderPage();
  const bar = screen.getByRole('navigation', { name: 'Principal' });
  const brand = within(bar).getByRole('link', { name: texts.nav.brand });
  expect(brand.getAttribute('href')).toBe('/inicio');
  expect(brand.textContent).toBe('GOTY');
  expect(brand.querySelector('img')?.getAttribute('src')).toBe('/trophy.svg');

  const inicio = within(bar).getByRole('link', { name: 'Inicio' });
  const votar = within(bar).getByRole('link', { name: 'Votar' });
  expect(inicio.getAttribute('aria-current')).toBe('page');
  expect(votar.getAttribute('aria-current')).toBeNull();
  await user.click(votar);
  expect(path()).toBe('/goty');
  expect(inicio.getAttribute('aria-current')).toBeNull();
  expect(votar.getAttribute('aria-current')).toBe('page');
});

test.each(['/', '/nothing', '/goty/deep'])('W2 %s is the screen inicio', (from) => {
  const { path } = renderPage({ path: from });
  expect(path()).toBe('/inicio');
  screen.getByRole('heading', { level: 1, name: 'Game of the year' });
});

test.each(['/goty/', '/GOTY'])('W2 %s is the screen goty, and its link is marked', (from) => {
  renderPage({ path: from });
  screen.getByRole('heading', { level: 1, name: 'votar por el juego del año' });
  expect(screen.getByRole('link', { name: 'Votar' }).getAttribute('aria-current')).toBe('page');
});

test('W16 leaving inicio ends the subscription', async () => {
  const { user, tell, listeners } = renderPage();
  await tell({ type: 'standings', standings: STANDINGS });
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(listeners.size).toBe(0);
});

test('W22 a new screen has its title and the focus; the first one leaves the focus alone', async () => {
  const { user } = renderPage();
  expect(document.title).toBe('Resultado en directo · GOTY');
  expect(document.activeElement).toBe(document.body);
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(document.title).toBe('Votar por el juego del año · GOTY');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('W9 a vote is still on its way for who leaves the screen and comes back', async () => {
  const answer = Promise.withResolvers<VoteResponse>();
  const { user, votes } = renderPage({ path: '/goty', vote: () => answer.promise });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  await user.click(screen.getByRole('link', { name: 'Inicio' }));
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  const card = screen.getByRole('article', { name: 'Hades II' });
  const button = within(card).getByRole('button');
  expect(button.textContent).toBe(texts.goty.voting);
  await user.click(button);
  expect(votes).toEqual(['hades-2']);
  await act(async () => answer.resolve({ ok: true, mensaje: 'Contado' }));
  expect(button.textContent).toBe('Votar');
});

test('W10 the list is loaded on the first visit and not again', async () => {
  const { user, loads } = renderPage();
  expect(loads).not.toHaveBeenCalled();
  for (const name of ['Votar', 'Inicio', 'Votar']) {
    await user.click(screen.getByRole('link', { name }));
  }
  expect(await screen.findAllByRole('article')).toHaveLength(2);
  expect(loads).toHaveBeenCalledTimes(1);
});
