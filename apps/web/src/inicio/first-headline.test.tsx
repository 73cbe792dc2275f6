import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildLive } from '../../testing/builders.ts';
import { createFakes, HADES_LEADS, hydrate } from '../../testing/render-page.tsx';
import { votePhaseAt } from '../live/fetch-standings.ts';
import { ALWAYS_OPEN } from '../live/live-state.ts';
import { prerender } from '../prerender.tsx';
import { showFirstHeadline } from './first-headline.ts';

const NOON = Date.UTC(2026, 11, 31, 12);
const HOUR = 3_600_000;
const STATUS = { ...ALWAYS_OPEN, voteId: 'v', now: NOON, changes: 0, nominees: '' };

test.each([
  ['open', {}],
  ['open, with an end', { closesAt: NOON + HOUR }],
  ['not open yet', { opensAt: NOON + HOUR }],
  ['closed', { closesAt: NOON - HOUR, voided: 7, final: true }],
  ['counted', { closesAt: NOON - 1_000 }],
  ['final, and told by no screen yet', { closesAt: NOON - 15_000, final: true }],
  ['held', { closesAt: NOON - HOUR, frozenAt: NOON - 2 * HOUR }],
  ['frozen', { closesAt: NOON + HOUR, frozenAt: NOON - HOUR }],
])('W92 React takes over the first headline of a vote that is %s', async (_state, times) => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date', 'performance'] });
  document.body.innerHTML = prerender('/inicio');
  const status = { ...STATUS, now: NOON, clockOffset: NOON - performance.now(), ...times };
  // Without games there is none.
  showFirstHeadline({ status, standings: [], tally: 0, at: performance.now() });
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  showFirstHeadline({ status, standings: HADES_LEADS, tally: 1, at: performance.now() });
  const first = screen.getByRole('heading', { level: 2 });
  const before = first.parentElement?.parentElement;
  const html = before?.innerHTML;
  const kind = before?.dataset.kind;

  const { props } = createFakes();
  const errors = hydrate('/inicio', props);
  expect(screen.getByRole('heading', { level: 2 })).toBe(first);
  await act(async () =>
    props.known.set({
      ...buildLive(HADES_LEADS),
      status: { ...status, phase: votePhaseAt(NOON, status) },
    }),
  );
  await screen.findByRole('table', { hidden: true });
  const final = screen.getByRole('heading', { level: 2 });
  expect(final).not.toBe(first);
  const box = final.parentElement?.parentElement;
  // Its tiles have a place of their own.
  box?.querySelector('[role="timer"]')?.remove();
  expect(box?.innerHTML).toBe(html);
  expect(box?.dataset.kind).toBe(kind);
  expect(errors).toEqual([]);
});

test('W92 what the page hears before React has taken over is no mismatch', async () => {
  document.body.innerHTML = prerender('/inicio');
  const { props } = createFakes();
  const status = { ...STATUS, closesAt: NOON - HOUR };
  props.known.set({
    ...buildLive(HADES_LEADS),
    status: { ...status, phase: votePhaseAt(NOON, status) },
  });
  const errors = hydrate('/inicio', props);
  await screen.findByRole('table', { hidden: true });
  expect(errors).toEqual([]);
});
