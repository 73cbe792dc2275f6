import { expect, test } from 'vitest';
import { toChartData } from './game.ts';
import { parseNominees, parseStandings, parseVoteResponse, wholeVotes } from './parse.ts';

test('a nominee list is read from a body, extra fields left out', () => {
  const body = [{ id: 'a', name: 'Uno', url: '/a.svg', votos: 3 }];
  expect(parseNominees(body)).toEqual([{ id: 'a', name: 'Uno', url: '/a.svg' }]);
  expect(parseNominees([])).toEqual([]);
});

test.each([
  null,
  'html',
  {},
  [null],
  [{ id: 'a', name: 'Uno' }],
  [{ id: 1, name: 'Uno', url: '' }],
])('the body %j is no nominee list', (body) => {
  expect(parseNominees(body)).toBeUndefined();
});

test('a vote response needs a boolean and a sentence', () => {
  expect(parseVoteResponse({ ok: true, mensaje: 'Hola' })).toEqual({ ok: true, mensaje: 'Hola' });
  for (const body of [
    null,
    undefined,
    '',
    {},
    { ok: 1, mensaje: 'x' },
    { ok: true, mensaje: '' },
  ]) {
    expect(parseVoteResponse(body)).toBeUndefined();
  }
});

test.each([undefined, null, 'x', 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, '3'])(
  'W14 votos %j is not a count and is shown as 0',
  (votos) => {
    expect(wholeVotes(votos)).toBeUndefined();
    const body = JSON.parse(JSON.stringify([{ id: 'a', name: 'Uno', votos }]));
    expect(parseStandings(body)).toEqual([{ id: 'a', name: 'Uno', votos: 0 }]);
  },
);

test('the chart takes name and votos of each game, in the order given', () => {
  const standings = [
    { id: 'b', name: 'Dos', votos: 2 },
    { id: 'a', name: 'Uno', votos: 1 },
  ];
  expect(toChartData(standings)).toEqual([
    { name: 'Dos', value: 2 },
    { name: 'Uno', value: 1 },
  ]);
});
