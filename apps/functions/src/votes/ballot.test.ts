import { expect, test } from 'vitest';
import { addSumChange, type Ballot, movedBallot, noSumChanges, outcomeBeside } from './ballot.ts';

const FROZEN_AT = 10;
const cast = (at: number, game = 'a', voided?: string): Ballot => {
  return { id: 'x', game, at, ...(voided !== undefined && { voided }) };
};

test.each<[what: string, before: Ballot | undefined, after: Ballot | undefined, object, object]>([
  ['a vote from before the freeze', undefined, cast(9), { a: 1 }, {}],
  ['a vote of the freeze', undefined, cast(10), {}, { a: 1 }],
  ['a voided one of an import', undefined, cast(10, 'a', 'v'), {}, {}],
  ['a change before the freeze', cast(5), cast(9, 'b'), { a: -1, b: 1 }, {}],
  ['a change in the freeze', cast(5), cast(10, 'b'), {}, { a: -1, b: 1 }],
  ['a change of a voided vote', cast(5, 'a', 'v'), cast(10, 'b', 'v'), {}, {}],
  ['a void of a vote from before', cast(5), cast(5, 'a', 'v'), { a: -1 }, {}],
  ['a void of a hidden vote', cast(10), cast(10, 'a', 'v'), {}, { a: -1 }],
  ['what is counted again', cast(10, 'a', 'v'), cast(10), {}, { a: 1 }],
  ['what is removed', cast(10), undefined, {}, { a: -1 }],
  ['what is removed and was voided', cast(5, 'a', 'v'), undefined, {}, {}],
])(
  'V1 V10 V11 %s changes what is shown, or what is hidden',
  (_what, before, after, votos, hidden) => {
    const sums = noSumChanges();
    addSumChange(sums, before, after, FROZEN_AT);
    expect([sums.votos, sums.hidden].map((sum) => Object.fromEntries(sum))).toEqual([
      votos,
      hidden,
    ]);
    const all = noSumChanges();
    addSumChange(all, before, after, undefined);
    expect(Object.fromEntries(all.votos)).toEqual({ ...votos, ...hidden });
  },
);

test('V14 a ballot that is cast is a change of the one whose time it names, and changes no other', () => {
  const stored = cast(5, 'a', 'v');
  const unchanged = { votedFor: 'a', votedAt: 5 };
  for (const game of ['a', 'b']) {
    expect(outcomeBeside(stored, cast(9, game))).toEqual(unchanged);
    expect(outcomeBeside(stored, { ...cast(9, game), replaces: 4 })).toEqual(unchanged);
    expect(outcomeBeside(stored, { ...cast(9, game), replaces: 5 })).toBe('moved');
  }
  const change = { ...cast(3, 'b'), replaces: 5 };
  // Later than the former one, whatever the clock says.
  expect(movedBallot(stored, change)).toEqual(cast(6, 'b', 'v'));
});
