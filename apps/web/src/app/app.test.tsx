import { appTexts } from '@goty/shared/app-texts';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildLive } from '../../testing/builders.ts';
import { renderPage } from '../../testing/render-page.tsx';

test('W1 the navigation bar has trophy, title and two links', () => {
  renderPage();
  const bar = screen.getByRole('navigation', { name: 'Principal' });
  const links = within(bar).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['GOTY', '/inicio'],
    ['Inicio', '/inicio'],
    ['Votar', '/goty'],
  ]);
  const brand = within(bar).getByRole('link', { name: appTexts.nav.brand });
  expect(brand.querySelector('img')?.getAttribute('src')).toBe('/trophy.svg');
});

test.each([
  ['/', '/inicio', 'Inicio'],
  ['/nothing', '/inicio', 'Inicio'],
  ['/goty/deep', '/inicio', 'Inicio'],
  ['/goty/', '/goty/', 'Votar'],
  ['/GOTY', '/GOTY', 'Votar'],
])('W1 W2 %s becomes %s, and only the link %s is marked', (from, to, name) => {
  const { path } = renderPage({ path: from });
  expect(path()).toBe(to);
  const links = within(screen.getByRole('navigation')).getByRole('list');
  expect(within(links).getByRole('link', { current: 'page' }).textContent).toBe(name);
});

test('W16 W31 inicio ends what listens, and shows what is known at once when one comes back', async () => {
  const { user, emit, stop } = renderPage();
  await emit();
  await screen.findByRole('table');
  expect(stop).not.toHaveBeenCalled();
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(stop).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('link', { name: 'Inicio' }));
  screen.getByRole('row', { name: /^1\.º Hades II 12 votos/ });
  screen.getByText(texts.inicio.status.open);
});

test('W22 navigating sets title and focus; the first screen does not take the focus', async () => {
  const { user } = renderPage();
  expect(document.title).toBe('Resultado en directo · GOTY');
  expect(document.activeElement).toBe(document.body);
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(document.title).toBe('Votar por el juego del año · GOTY');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('W62 W145 inicio#sala shows the stage and nothing else, goty#sala does not', async () => {
  const { emit, setStatus } = renderPage({ path: '/inicio#sala' });
  await screen.findByRole('heading', { name: texts.inicio.status.loading });
  expect(screen.queryByRole('navigation')).toBeNull();
  await emit(buildLive([]));
  await screen.findByRole('heading', { name: texts.states.empty });
  await setStatus({ phase: 'held' });
  await emit();
  await screen.findByRole('heading', { name: resultTexts.held });
  expect(screen.getByRole('status').textContent).toBe(resultTexts.held);
  expect(document.body.textContent).not.toContain('Hades');
  cleanup();
  renderPage({ path: '/goty#sala' });
  screen.getByRole('navigation');
});
