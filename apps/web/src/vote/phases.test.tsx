import { texts } from '@goty/shared/texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderGoty } from '../../testing/render-page.tsx';
import type { VoteStatus } from '../live/live-state.ts';

async function renderPhase(status: Partial<VoteStatus>) {
  vi.stubEnv('TZ', 'America/Bogota');
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 28), toFake: ['Date'] });
  const page = await renderGoty();
  await page.setStatus(status);
  return page;
}

test('W41 W119 before the opening goty says when it is, and its cards cannot be pressed', async () => {
  const opensAt = Date.UTC(2027, 0, 1, 1, 30);
  const { user, votes, setStatus, card, button } = await renderPhase({ phase: 'before', opensAt });
  await screen.findByText(/^La votación empieza el jueves 31 de diciembre a las 20:30/);
  expect(screen.queryByRole('link', { name: texts.goty.toResult })).toBeNull();
  within(card).getByText('Aún no se puede votar');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(votes()).toEqual([]);
  await screen.findByRole('timer', { name: /^La votación empieza el jueves 31/ });
  await setStatus({ opensAt });
  await screen.findByText('¡Ya puedes votar!');
  screen.getByText(texts.goty.notices.open, { exact: false });
  await user.click(button);
  expect(votes()).toEqual(['hades-2']);
});

test('W41 W93 after the close goty says so, and leads to the result once that is shown', async () => {
  const { user, votes, path, card, button, setStatus } = await renderPhase({ phase: 'closed' });
  const status = await screen.findByText(/^La votación ha terminado\./);
  expect(status.parentElement?.role).toBe('status');
  within(card).getByRole('button', { description: 'Ya no se puede votar' });
  await user.click(button);
  expect(votes()).toEqual([]);
  await setStatus({ phase: 'held' });
  screen.getByText('La votación ha terminado. El resultado se anunciará en breve.');
  expect(screen.queryByRole('link', { name: texts.goty.toResult })).toBeNull();
  await setStatus({ phase: 'closed' });
  await user.click(screen.getByRole('link', { name: texts.goty.toResult }));
  expect(path()).toBe('/inicio');
});

test('W120 goty says until when voting is open, until the visitor has voted', async () => {
  const { user, button } = await renderPhase({ closesAt: Date.UTC(2027, 0, 1, 1, 30) });
  const deadline = await screen.findByText(
    'La votación termina el jueves 31 de diciembre a las 20:30.',
  );
  expect(screen.queryByText('¡Ya puedes votar!')).toBeNull();
  await user.click(button);
  await screen.findByRole('complementary', { name: 'Tu voto' });
  expect(deadline.isConnected).toBe(false);
});

test('W95 one vote for each visitor is told before it; then the other cards change it, and inicio invites no more', async () => {
  // That game is not nominated any more.
  localStorage.setItem('goty-last-vote', 'removed 5 v');
  const { user, votes, outcomes, card, button, setStatus } = await renderPhase({
    onePerVisitor: true,
  });
  await screen.findByText(texts.goty.onePerVisitor, { exact: false });
  const other = screen.getByRole('article', { name: 'Blue Prince' });
  within(other).getByRole('button', { name: 'Votar Blue Prince' });
  await user.click(button);
  const status = await screen.findByText('Has votado por Hades II. Puedes cambiar tu voto.');
  expect(status.parentElement?.role).toBe('status');
  within(card).getByText('Ya has votado por este juego');
  await user.click(button);
  expect(votes()).toEqual(['hades-2', 'hades-2']);
  expect(outcomes).toHaveLength(2);
  within(other).getByText('Click aqui para cambiar');
  const change = within(other).getByRole('button', { name: 'Cambiar Blue Prince' });
  expect(change.getAttribute('aria-disabled')).toBe('false');
  await setStatus({ onePerVisitor: true, phase: 'closed' });
  expect(change.getAttribute('aria-disabled')).toBe('true');
  within(other).getByText('Ya no se puede votar');
  within(other).getByRole('button', { name: 'Votar Blue Prince' });
  await user.click(screen.getByRole('link', { name: 'Inicio' }));
  screen.getByRole('link', { name: texts.inicio.nominees });
});

test('W148 W21 a press on another card asks without a request, also after a reload; without the policy it votes', async () => {
  localStorage.setItem('goty-last-vote', 'hades-2 7 v');
  const { user, votes, outcomes, card, setStatus } = await renderPhase({ onePerVisitor: true });
  // The card says 'Ya has votado por este juego', so its button must not say 'Votar'.
  within(card).getByRole('button', { name: 'Tu voto Hades II' });
  await user.click(screen.getByRole('button', { name: 'Cambiar Blue Prince' }));
  expect(outcomes).toEqual([{ ok: false, mensaje: '', votedFor: 'hades-2', votedAt: 7 }]);
  expect(votes()).toEqual([]);
  within(card).getByRole('button', { name: 'Tu voto Hades II' });
  await setStatus({ onePerVisitor: false });
  await user.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  expect(votes()).toEqual(['blue-prince']);
  expect(localStorage.getItem('goty-last-vote')).toBe('blue-prince  v  ');
});
