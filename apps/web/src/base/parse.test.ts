import {
  type ChartDatum,
  type Game,
  toChartDatum,
  type VoteResponse,
  wholeVotes,
} from '@goty/shared/game';
import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { expect, expectTypeOf, test } from 'vitest';
import {
  parseNominees,
  parseStandings,
  parseStandingsResponse,
  parseVoteResponse,
} from './parse.ts';

test('Game: id, name, url, votos. Chart datum: {name, value}. Vote response: ok, mensaje.', () => {
  type Fields = Record<'id' | 'name' | 'url', string> & { votos: number };
  expectTypeOf<Game>().toEqualTypeOf<Readonly<Fields>>();
  expectTypeOf<ChartDatum>().toEqualTypeOf<{ readonly name: string; readonly value: number }>();
  expectTypeOf<{ ok: true; mensaje: '' }>().toExtend<VoteResponse>();
});

test('a nominee list is parsed, without unknown fields', () => {
  expect(parseNominees([buildGame({ id: 'a' })])).toEqual([buildNominee({ id: 'a' })]);
  expect(parseNominees([])).toEqual([]);
});

test.each([
  null,
  'html',
  {},
  [null],
  [{ id: 'a', name: 'Uno' }],
  [{ id: 1, name: 'Uno', url: '' }],
])('%j is not a nominee list', (body) => {
  expect(parseNominees(body)).toBeUndefined();
});

test("an answer is the server's if it has the clock, what says how new it is, and standings", () => {
  const status = {
    now: 5,
    changes: 2,
    opensAt: 1,
    closesAt: 9,
    nominees: 'abc',
    onePerVisitor: true,
  };
  const parse = (body: object) => parseStandingsResponse({ standings: [], tally: 7, ...body });
  expect(parse(status)).toEqual({ status, standings: [], tally: 7 });
  const portals = [{ now: '5' }, { changes: undefined }, { standings: [7] }];
  for (const wrong of portals) expect(parse({ ...status, ...wrong })).toBeUndefined();
  for (const body of [undefined, null, 'html', [], {}, { ok: true }])
    expect(parseStandingsResponse(body)).toBeUndefined();
});

test('W7 a vote response is a success if it says so, and unusable without a `mensaje`', () => {
  expect(parseVoteResponse({ ok: true, mensaje: 'Hola' })).toEqual({ ok: true, mensaje: 'Hola' });
  for (const ok of [false, undefined, null, 'true', 1]) {
    expect(parseVoteResponse({ ok, mensaje: 'Hola' })).toEqual({ ok: false, mensaje: 'Hola' });
  }
  const held = { ok: false, mensaje: 'Hola', votedFor: 'a', votedAt: 5 };
  expect(parseVoteResponse(held)).toEqual(held);
  for (const body of [null, undefined, '', {}, { ok: true }, { ok: true, mensaje: '' }]) {
    expect(parseVoteResponse(body)).toBeUndefined();
  }
});

test.each([undefined, null, 'x', 1.5, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '3'])(
  'W14 votos %j is not a vote count and becomes 0',
  (votos) => {
    expect(wholeVotes(votos)).toBeUndefined();
    expect(toChartDatum({ name: 'Uno', votos })).toEqual({ name: 'Uno', value: 0 });
    const body = JSON.parse(JSON.stringify([{ id: 'a', name: 'Uno', votos }]));
    expect(parseStandings(body)).toEqual([{ id: 'a', name: 'Uno', votos: 0 }]);
  },
);
