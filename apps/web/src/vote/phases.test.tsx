import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { ALWAYS_OPEN, type VoteStatus } from '../status/vote-status.ts';
import { describePhase } from './describe-phase.ts';

const CLOSED = { ...ALWAYS_OPEN, phase: 'closed' } as const;

async function renderCards() {
  localStorage.clear();
  const page = renderPage({ path: '/goty' });
  const card = await screen.findByRole('article', { name: 'Hades II' });
  const setStatus = (status: VoteStatus) => page.setStatus({ ...status, ...describePhase(status) });
  return { ...page, setStatus, card, button: within(card).getByRole('button') };
}

test('W41 before the opening goty says when it is, and its cards cannot be pressed', async () => {
  vi.stubEnv('TZ', 'America/Bogota');
  const { user, votes, setStatus, card, button } = await renderCards();
  const opensAt = Date.UTC(2027, 0, 1, 1, 30);
  await setStatus({ ...ALWAYS_OPEN, phase: 'before', opensAt });
  await screen.findByText(/^La votación empieza el jueves, 31 de diciembre, 20:30/);
  within(card).getByText('Todavía no se puede votar');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(votes).toEqual([]);
  await setStatus(ALWAYS_OPEN);
  screen.getByText(texts.goty.lead, { exact: false });
  await user.click(button);
  expect(votes).toEqual(['hades-2']);
});

test('W41 after the close goty says so, and leads to the result', async () => {
  const { user, votes, path, setStatus, card, button } = await renderCards();
  await setStatus(CLOSED);
  const status = await screen.findByText(/^La votación ya terminó\./);
  expect(status.getAttribute('role')).toBe('status');
  within(card).getByText('Ya no se puede votar');
  const described = button.getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe('Ya no se puede votar');
  await user.click(button);
  expect(votes).toEqual([]);
  await user.click(screen.getByRole('link', { name: texts.goty.toResult }));
  expect(path()).toBe('/inicio');
});

test('W45 with one vote for each visitor goty says so before the vote', async () => {
  const { setStatus } = await renderCards();
  screen.getByText(texts.goty.lead, { exact: false });
  await setStatus({ ...ALWAYS_OPEN, onePerVisitor: true });
  await screen.findByText(voteTexts.onePerVisitor, { exact: false });
});
