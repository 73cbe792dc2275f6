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

test('a status may lack times, but neither the clock nor what says how new it is', () => {
  const status = {
    now: 5,
    changes: 2,
    opensAt: 1,
    closesAt: 9,
    nominees: 'abc',
    onePerVisitor: true,
  };
  const parse = (body: object) => parseStandingsResponse({ standings: [], ...body });
  expect(parse({ ...status, more: true })).toEqual({ status, standings: [] });
  const least = { now: 5, changes: 0, nominees: 'abc' };
  expect(parse(least)?.status).toEqual({ ...least, onePerVisitor: false });
  expect(parse({ ...least, final: true })?.status.final).toBe(true);
  expect(parse({ ...least, final: 1 })?.status.final).toBeUndefined();
  for (const wrong of [
    { now: '5' },
    { changes: undefined },
    { closesAt: null },
    { voids: [{ from: 1 }] },
    { nominees: 7 },
    { standings: [7] },
  ]) {
    expect(parse({ ...status, ...wrong })).toBeUndefined();
  }
});

test('W7 a vote response is a success if it says so, and unusable without a `mensaje`', () => {
  expect(parseVoteResponse({ ok: true, mensaje: 'Hola' })).toEqual({ ok: true, mensaje: 'Hola' });
  for (const ok of [false, undefined, null, 'true', 1]) {
    expect(parseVoteResponse({ ok, mensaje: 'Hola' })).toEqual({ ok: false, mensaje: 'Hola' });
  }
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
