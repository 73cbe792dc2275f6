import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createFakes, hydrate, STANDINGS } from '../../testing/render-page.tsx';
import { votePhaseAt } from '../live/fetch-standings.ts';
import { ALWAYS_OPEN } from '../live/live-state.ts';
import { prerender } from '../prerender.tsx';
import { headlineAt, showFirstHeadline, titleWithoutName } from './headline.ts';

const CLOSED = { ...ALWAYS_OPEN, phase: 'closed' } as const;

test.each([
  [[1, 3], 'Juego b va en cabeza', 'Con 3 votos (75 %), 2 más que Juego a.'],
  [[1, 1, 3], 'Juego c va en cabeza', 'Con 3 votos (60 %), 2 más que Juego a y Juego b.'],
  [[3, 1, 1, 1, 1], 'Juego a va en cabeza', 'Con 3 votos (43 %), 2 más que 4 juegos.'],
  [[0, 5], 'Juego b va en cabeza', 'Con 5 votos (100 %).'],
  [[2, 2], 'Empate en cabeza', 'Con 2 votos cada uno: Juego a y Juego b.'],
  [[1, 1, 1, 1], 'Empate en cabeza', 'Con 1 voto cada uno: 4 juegos.'],
  [[0, 0], 'Todavía no hay votos', 'El primer voto puede ser el tuyo.'],
])('W60 the headline of %j', (votes, title, detail) => {
  const shown = headlineAt(buildStandings(...votes), ALWAYS_OPEN);
  expect(shown).toMatchObject({ title, detail: detail.replace(' %', '\u00a0%') });
  expect(shown.kind).toBe(votes.every((votos) => votos === 0) ? 'empty' : 'told');
});

test('W92 the headline waits for no number format of the browser', async () => {
  const made = [vi.spyOn(Intl, 'NumberFormat'), vi.spyOn(Intl, 'ListFormat')];
  vi.resetModules();
  const fresh = await import('./headline.ts');
  const { detail } = fresh.headlineAt(buildStandings(1_234, 5_678), ALWAYS_OPEN);
  expect(detail).toBe('Con 5.678 votos (82\u00a0%), 4.444 más que Juego a.');
  for (const spy of made) expect(spy).not.toHaveBeenCalled();
});

test.each([
  [[1, 3], 'Juego b es el juego del año', 'won'],
  [[2, 2], 'La votación ha terminado en empate', 'won'],
  // Nobody has voted, or the operator has reset the vote.
  [[0, 0], 'No hay votos', 'empty'],
])('W61 W111 the headline of %j after the close', (votes, title, kind) => {
  expect(headlineAt(buildStandings(...votes), CLOSED)).toMatchObject({ title, kind });
});

test('W61 W146 while votes are counted, the headline names nobody', () => {
  const status = { ...CLOSED, phase: 'counting' } as const;
  expect(headlineAt(buildStandings(1, 3), status)).toEqual({
    title: 'La votación ha terminado',
    detail: '',
    kind: 'empty',
  });
});

test('W119 the headline of a vote that has just begun says that one can vote', () => {
  const status = { ...ALWAYS_OPEN, opensAt: 1 };
  const titleOf = (...votes: number[]) => headlineAt(buildStandings(...votes), status).title;
  expect(titleOf(0, 0)).toBe('¡Ya puedes votar!');
  expect(titleOf(0, 1)).toBe('Juego b va en cabeza');
});

test('W66 a name from right to left is isolated in the sentence', () => {
  const hebrew = [{ id: 'a', name: 'משחק', votos: 1 }];
  const headline = headlineAt(hebrew, ALWAYS_OPEN);
  expect(headline.title).toBe('\u2068משחק\u2069 va en cabeza');
  expect([headline.name, titleWithoutName(headline)]).toEqual(['משחק', 'va en cabeza']);
});

const NOON = Date.UTC(2026, 11, 31, 12);
const HOUR = 3_600_000;
const STATUS = { ...ALWAYS_OPEN, now: NOON, changes: 0, nominees: '' };

test.each([
  ['open', {}],
  ['open, with an end', { closesAt: NOON + HOUR }],
  ['not open yet', { opensAt: NOON + HOUR }],
  ['closed', { closesAt: NOON - HOUR, voided: 7, final: true }],
  ['counted', { closesAt: NOON - 1_000 }],
  ['held', { closesAt: NOON - HOUR, frozenAt: NOON - 2 * HOUR }],
  ['frozen', { closesAt: NOON + HOUR, frozenAt: NOON - HOUR }],
])('W92 React takes over the first headline of a vote that is %s', async (_state, times) => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  document.body.innerHTML = prerender('/inicio');
  const status = { ...STATUS, ...times };
  // Without games there is none.
  showFirstHeadline({ status, standings: [], tally: 0, at: performance.now() });
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  showFirstHeadline({ status, standings: STANDINGS, tally: 1, at: performance.now() });
  const first = screen.getByRole('heading', { level: 2 });
  const before = first.parentElement?.parentElement;
  const html = before?.innerHTML;
  const kind = before?.dataset.kind;

  const { props } = createFakes();
  const errors = hydrate('/inicio', props);
  expect(screen.getByRole('heading', { level: 2 })).toBe(first);
  await act(async () =>
    props.known.set({
      ...buildLive(STANDINGS),
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
    ...buildLive(STANDINGS),
    status: { ...status, phase: votePhaseAt(NOON, status) },
  });
  const errors = hydrate('/inicio', props);
  await screen.findByRole('table', { hidden: true });
  expect(errors).toEqual([]);
});
