import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderGoty } from '../../testing/render-page.tsx';
import { ALWAYS_OPEN, type VoteStatus } from '../live/vote-status.ts';
import { describePhase } from './describe-phase.ts';

/** Renders goty in a vote with this status. */
async function renderPhase(status: Partial<VoteStatus>) {
  vi.stubEnv('TZ', 'America/Bogota');
  const page = await renderGoty();
  await page.setStatus({ ...status, ...describePhase({ ...ALWAYS_OPEN, ...status }) });
  return page;
}

test('W41 before the opening goty says when it is, and its cards cannot be pressed', async () => {
  const opensAt = Date.UTC(2027, 0, 1, 1, 30);
  const { user, votes, setStatus, card, button } = await renderPhase({ phase: 'before', opensAt });
  await screen.findByText(/^La votación empieza el jueves 31 de diciembre a las 20:30/);
  expect(screen.queryByRole('link', { name: texts.goty.toResult })).toBeNull();
  within(card).getByText('Todavía no se puede votar');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(votes()).toEqual([]);
  await setStatus({});
  screen.getByText(texts.goty.lead, { exact: false });
  await user.click(button);
  expect(votes()).toEqual(['hades-2']);
});

test('W41 after the close goty says so, and leads to the result', async () => {
  const { user, votes, path, card, button } = await renderPhase({ phase: 'closed' });
  const status = await screen.findByText(/^La votación ya terminó\./);
  expect(status.getAttribute('role')).toBe('status');
  within(card).getByRole('button', { description: 'Ya no se puede votar' });
  await user.click(button);
  expect(votes()).toEqual([]);
  await user.click(screen.getByRole('link', { name: texts.goty.toResult }));
  expect(path()).toBe('/inicio');
});

test('W45 with one vote for each visitor goty says so before the vote', async () => {
  const { setStatus } = await renderPhase({ onePerVisitor: true });
  await screen.findByText(voteTexts.onePerVisitor, { exact: false });
  await setStatus({});
  screen.getByText(texts.goty.lead, { exact: false });
});
