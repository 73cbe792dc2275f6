import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN } from '../live/known.ts';
import { headlineAt } from './headline.ts';

const CLOSED = { ...ALWAYS_OPEN, phase: 'closed', resultPhase: 'closed' } as const;

test.each([
  [[1, 3], 'Juego b va en cabeza', 'Con 3 votos (75 %), 2 más que Juego a.'],
  [[1, 1, 3], 'Juego c va en cabeza', 'Con 3 votos (60 %), 2 más que Juego a y Juego b.'],
  [[3, 1, 1, 1, 1], 'Juego a va en cabeza', 'Con 3 votos (43 %), 2 más que 4 juegos.'],
  [[0, 5], 'Juego b va en cabeza', 'Con 5 votos (100 %).'],
  [[2, 2], 'Empate en cabeza', 'Juego a y Juego b empatan con 2 votos cada uno.'],
  [[1, 1, 1, 1], 'Empate en cabeza', '4 juegos empatan con 1 voto cada uno.'],
  [[0, 0], 'Todavía no hay votos', 'El primero puede ser el tuyo.'],
])('W60 the headline of %j', (votes, title, detail) => {
  const shown = headlineAt(buildStandings(...votes), ALWAYS_OPEN);
  expect(shown).toMatchObject({ title, detail: detail.replace(' %', '\u00a0%') });
  expect(shown.kind).toBe(votes.every((votos) => votos === 0) ? 'empty' : 'told');
});

test.each([
  [[1, 3], 'Juego b es el juego del año', 'won'],
  [[2, 2], 'La votación ha terminado en empate', 'won'],
  [[0, 0], 'Nadie votó esta vez', 'empty'],
])('W61 W111 the headline of %j after the close', (votes, title, kind) => {
  expect(headlineAt(buildStandings(...votes), CLOSED)).toMatchObject({ title, kind });
});

test('W119 the headline of a vote that has just begun says that one can vote', () => {
  const status = { ...ALWAYS_OPEN, opensAt: 1 };
  const titleOf = (...votes: number[]) => headlineAt(buildStandings(...votes), status).title;
  expect(titleOf(0, 0)).toBe('¡Ya puedes votar!');
  expect(titleOf(0, 1)).toBe('Juego b va en cabeza');
});

test('W66 a name from right to left is isolated in the sentence', () => {
  const hebrew = [{ id: 'a', name: 'משחק', votos: 1 }];
  expect(headlineAt(hebrew, ALWAYS_OPEN).title).toBe('\u2068משחק\u2069 va en cabeza');
});
