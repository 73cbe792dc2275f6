import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN } from '../live/live-state.ts';
import { headlineAt, titleWithoutName } from './headline.ts';

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

test.each(['Super Mario Bros.', 'Lost…'])(
  'W60 W147 a sentence that ends in %s ends once',
  (name) => {
    const [other, leader] = buildStandings(1, 3);
    if (!other || !leader) throw new Error('no games');
    const { detail } = headlineAt([{ ...other, name }, leader], ALWAYS_OPEN);
    expect(detail).toMatch(new RegExp(`, 2 más que ${name}$`));
  },
);

test('W66 a name from right to left is isolated in the sentence', () => {
  const hebrew = [{ id: 'a', name: 'משחק', votos: 1 }];
  const headline = headlineAt(hebrew, ALWAYS_OPEN);
  expect(headline.title).toBe('\u2068משחק\u2069 va en cabeza');
  expect([headline.name, titleWithoutName(headline)]).toEqual(['משחק', 'va en cabeza']);
});
