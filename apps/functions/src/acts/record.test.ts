import type { Act, TimeRange } from '@goty/shared/act';
import type { VoteTimes } from '@goty/shared/vote-times';
import { expect, test } from 'vitest';
import type { ActPart, VoidedVotes } from '../votes/vote-store.ts';
import { disclosureOf, wholeActs } from './record.ts';

const MINUTE = 60_000;

const act = (what: Act['what'], more: Partial<ActPart> = {}): ActPart => ({
  id: what,
  at: 0,
  by: 'command',
  what,
  ...more,
});

/** A close that was moved, so many minutes after the vote was opened. */
const moved = (minute: number, before?: number, after?: number, more?: Partial<VoteTimes>): Act =>
  act('times', {
    at: minute * MINUTE,
    before: { ...more, ...(before !== undefined && { closesAt: before * MINUTE }) },
    after: { ...more, ...(after !== undefined && { closesAt: after * MINUTE }) },
  });

test.each<[what: string, acts: Act[], movedFrom: number | undefined, reopened?: number]>([
  ['nothing of what changes no result', [act('init'), act('nominees'), act('reveal')], undefined],
  ['that it was moved while the vote was open', [moved(1, 9, 12), moved(2, 12, 20)], 9],
  ['nothing if it was moved back', [moved(1, 20, 12), moved(2, 12, 20)], undefined],
  ['nothing if it was moved before', [moved(1, 9, 12, { opensAt: 6 * MINUTE })], undefined],
  ['nothing of what was before a reset', [moved(1, 9, 12), act('reset')], undefined],
  [
    'nothing of the close of the vote before, which had passed when this vote was begun',
    [act('reset', { at: 10 * MINUTE }), moved(12, 9, 20)],
    undefined,
  ],
  [
    'a close that a reset has left to this vote',
    [act('reset', { at: 5 * MINUTE }), moved(7, 9, 20)],
    9,
  ],
  [
    'nothing of a close by accident, which was cancelled',
    [moved(1, undefined, 1.25), moved(1.2, 1.25), moved(8, undefined, 20)],
    undefined,
  ],
  [
    'what it was before that accident',
    [moved(1, 9, 1.25), moved(1.2, 1.25, 9), moved(8, 9, 20)],
    9,
  ],
  [
    'nothing of a close that was set wrong, and mended at once',
    [moved(1, undefined, 9), moved(1.5, 9, 20)],
    undefined,
  ],
  [
    'a close that visitors could rely on, though it was taken back',
    [moved(1, undefined, 9), moved(2, 9), moved(3, undefined, 20)],
    9,
  ],
  ['that the vote had ended, and was opened again', [moved(10, 9, 20), moved(11, 20, 20)], 9, 10],
  [
    'that, too, if it was closed early, and ends as announced',
    [moved(1, 20, 1.25), moved(10, 1.25, 20)],
    undefined,
    10,
  ],
])('V13 of a close the public is told %s', (_what, acts, movedFrom, reopened) => {
  const told = disclosureOf({ acts, voids: [] }, 20 * MINUTE);
  expect(told).toEqual({
    ...(movedFrom !== undefined && { movedFrom: movedFrom * MINUTE }),
    ...(reopened !== undefined && { reopenedAt: reopened * MINUTE }),
  });
});

const range = (from: number, to: number): TimeRange => ({ from, to });

test('V13 the public is told how many votes are voided, and when these were cast, each time once', () => {
  const voids = [
    { act: 'x', votes: 5, from: 2, to: 5 },
    { act: 'by hand', votes: 2, from: 8, to: 9 },
    { act: 'y', votes: 1, from: 1, to: 3 },
  ];
  expect(disclosureOf({ acts: [], voids }, 20)).toEqual({
    voided: 8,
    voids: [
      { from: 1, to: 5 },
      { from: 8, to: 9 },
    ],
  });
});

const VOID = act('void', { id: 'x', votes: 4, ranges: [{ from: 10, to: 20 }] });
const of = (votes: number, from: number, to: number) => ({ act: 'x', votes, from, to });

test.each<[what: string, acts: Act[], left: VoidedVotes, told: TimeRange]>([
  ['the record says, before any change of one of them', [VOID], of(4, 10, 20), range(10, 20)],
  ['the record says, though one was changed hours later', [VOID], of(4, 10, 900), range(10, 20)],
  ['the record says, though the first was changed as well', [VOID], of(4, 15, 900), range(10, 20)],
  ['the record says, though all were changed', [VOID], of(4, 700, 900), range(10, 20)],
  ['is left, where some are counted again', [VOID], of(3, 12, 18), range(12, 18)],
  ['is left, of what the record says', [VOID], of(3, 12, 900), range(12, 20)],
  ['the record says, if all that is left was changed', [VOID], of(2, 700, 900), range(10, 20)],
  [
    'ballots say of an act without times, as an import is',
    [act('import', { id: 'x' })],
    of(4, 5, 9),
    range(5, 9),
  ],
  ['ballots say where the record has only a part of the act', [VOID], of(7, 5, 30), range(5, 30)],
  ['ballots say of an act that is not in the record', [], of(4, 5, 9), range(5, 9)],
])('V13 of when voided votes were cast the public is told what %s', (_what, acts, left, told) => {
  expect(disclosureOf({ acts, voids: [left] }, 20).voids).toEqual([told]);
});

test('V13 of acts that an import has brought, the public is told in the order of time', () => {
  const closes = (at: number, from: number, to: number) =>
    act('times', { id: `${at}`, at, before: { closesAt: from }, after: { closesAt: to } });
  const [first, second] = [closes(100_000, 900_000, 950_000), closes(200_000, 950_000, 960_000)];
  const acts = [act('reset'), second, act('import', { at: 300_000 }), first];
  expect(disclosureOf({ acts, voids: [] }, 960_000)).toEqual({ movedFrom: 900_000 });
});

test('O19 the parts of an act are told as one, each of them once, in the order in which they were written', () => {
  const part = (number: number, more: Partial<ActPart>) =>
    act('void', { votes: 500, games: ['a'], part: number, ...more });
  const first = act('void', {
    id: 'x',
    at: 9,
    votes: 3,
    games: ['a'],
    ranges: [{ from: 5, to: 6 }],
  });
  const acts = [
    first,
    act('reveal'),
    part(1, { id: 'x', at: 10, games: ['b'], ranges: [{ from: 2, to: 3 }] }),
    first,
    part(2, { id: 'y', ranges: [{ from: 1, to: 3 }] }),
  ];
  expect(wholeActs(acts)).toEqual([
    act('void', { id: 'x', at: 9, votes: 503, games: ['a', 'b'], ranges: [{ from: 2, to: 6 }] }),
    act('reveal'),
    act('void', { id: 'y', votes: 500, games: ['a'], ranges: [{ from: 1, to: 3 }] }),
  ]);
});

test('O19 every field of an act is that of its first part, or put together', () => {
  const first: Required<ActPart> = {
    id: 'x',
    at: 9,
    by: 'desk',
    what: 'undo',
    undoes: 'y',
    votes: 3,
    codes: 2,
    games: ['a'],
    ranges: [{ from: 5, to: 6 }],
    before: { closesAt: 7 },
    after: { closesAt: 8 },
    part: 0,
  };
  const whole: Required<Act> = {
    id: 'x',
    at: 9,
    by: 'desk',
    what: 'undo',
    undoes: 'y',
    votes: 7,
    codes: 2,
    games: ['a', 'b'],
    ranges: [{ from: 2, to: 6 }],
    before: { closesAt: 7 },
    after: { closesAt: 8 },
  };
  const next = act('undo', {
    id: 'x',
    part: 1,
    votes: 4,
    games: ['b'],
    ranges: [{ from: 2, to: 3 }],
  });
  expect(wholeActs([first, next])).toEqual([whole]);
});
