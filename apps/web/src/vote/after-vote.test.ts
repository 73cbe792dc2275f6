import { gotyTexts } from '@goty/shared/goty-texts';
import { expect, test } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { VOTE_PHASES, type VotePhase } from '../live/fetch-standings.ts';
import { ALWAYS_OPEN, type LiveState } from '../live/live-state.ts';
import { describePlace } from './after-vote.ts';

const GAMES = ['a', 'b', 'c', 'd', 'gone'];
const live = buildLive(buildStandings(1_234, 7, 7, 1));
const tied = buildLive(buildStandings(7, 7));

const placesOf = (known: LiveState) => GAMES.map((id) => describePlace(known, id));

test("W43 'Gracias' says the game's place and votes", () => {
  expect(placesOf(live)).toEqual([
    'Va en cabeza, con 1.234 votos',
    'Empata en el 2.º puesto, con 7 votos',
    'Empata en el 2.º puesto, con 7 votos',
    'Va 4.º, con 1 voto',
    '',
  ]);
  expect(describePlace(tied, 'b')).toBe('Empata en cabeza, con 7 votos');
});

test.each([
  [2, 'Empata en el 2.º puesto'],
  [3, 'Empata en el 3.er puesto'],
  [11, 'Empata en el 11.º puesto'],
  [21, 'Empata en el 21.er puesto'],
])('W43 a tie for place %i is told as %s', (place, told) => {
  expect(gotyTexts.place(place, true, '7 votos', false)).toBe(`${told}, con 7 votos`);
});

test('W43 W101 after the close it says how the game has ended', () => {
  const status = { ...ALWAYS_OPEN, phase: 'closed' } as const;
  expect(placesOf({ ...live, status })).toEqual([
    'Ha ganado, con 1.234 votos',
    'Ha empatado en el 2.º puesto, con 7 votos',
    'Ha empatado en el 2.º puesto, con 7 votos',
    'Ha quedado 4.º, con 1 voto',
    '',
  ]);
  expect(describePlace({ ...tied, status }, 'b')).toBe('Ha empatado en cabeza, con 7 votos');
});

test('W93 W146 a place is told in no phase but those in which sums are public', () => {
  const isTold = (phase: VotePhase) =>
    describePlace({ ...live, status: { ...ALWAYS_OPEN, phase } }, 'a') !== '';
  expect(VOTE_PHASES.filter(isTold)).toEqual(['open', 'closed']);
});

test.each<[string, Partial<LiveState>]>([
  ['a reset', { standings: buildStandings(0, 0) }],
  ['the loss of the connection', { connection: 'offline' }],
])('W43 W101 after %s no place is told', (_what, change) => {
  expect(describePlace({ ...live, ...change }, 'a')).toBe('');
});
