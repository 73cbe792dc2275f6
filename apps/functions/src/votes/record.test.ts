import type { Act } from '@goty/shared/act';
import { expect, test } from 'vitest';
import { actOfVoid, disclosureOf } from './record.ts';

const act = (what: Act['what'], more: Partial<Act> = {}): Act => ({
  at: 5,
  by: 'command',
  what,
  ...more,
});
const range = (from: number, to: number) => ({ ranges: [{ from, to }] });

test.each<[what: string, record: Act[], told: object]>([
  ['nothing of what changes no result', [act('init'), act('nominees'), act('reveal')], {}],
  [
    'when votes were cast that were voided',
    [act('void', range(1, 2)), act('void', range(3, 4))],
    {
      voids: [
        { from: 1, to: 2 },
        { from: 3, to: 4 },
      ],
    },
  ],
  ['once', [act('void', range(2, 5)), act('void', range(1, 3))], { voids: [{ from: 1, to: 5 }] }],
  ['unless that was undone', [act('void', range(1, 2)), act('undo', range(1, 3))], {}],
  [
    'that the close was moved while the vote was open',
    [
      act('times', { before: { closesAt: 9 }, after: { closesAt: 12 } }),
      act('times', { before: { closesAt: 12 }, after: { closesAt: 20 } }),
    ],
    { movedFrom: 9 },
  ],
  [
    'unless it was moved back',
    [
      act('times', { before: { closesAt: 20 }, after: { closesAt: 12 } }),
      act('times', { before: { closesAt: 12 }, after: { closesAt: 20 } }),
    ],
    {},
  ],
  [
    'or was moved before',
    [act('times', { before: { opensAt: 6, closesAt: 9 }, after: { opensAt: 6, closesAt: 12 } })],
    {},
  ],
  ['nothing of what was before a reset', [act('void', range(1, 2)), act('reset')], {}],
  [
    'unless an import has brought it back',
    [act('void', range(1, 2)), act('reset'), act('import', range(1, 2))],
    { voids: [{ from: 1, to: 2 }] },
  ],
  [
    'of the games whose votes were not counted again',
    [
      act('void', { ...range(1, 9), games: ['a'] }),
      act('void', { ...range(2, 8), games: ['b'] }),
      act('undo', { ...range(1, 9), games: ['a'] }),
    ],
    { voids: [{ from: 2, to: 8 }] },
  ],
])('V13 of the record the public is told %s', (_what, record, told) => {
  expect(disclosureOf(record, 20)).toEqual(told);
});

test('O19 V13 the act of a void tells when the first and the last of its votes were cast', () => {
  const ballots = [3, 7, 30].map((at) => ({ id: `${at}`, game: 'a', at }));
  const ranges = [
    { from: 0, to: 10 },
    { from: 12, to: 20 },
    { from: 25, to: 99 },
  ];
  expect(actOfVoid(ballots, ranges, 'void', 'desk')).toMatchObject({
    ...{ by: 'desk', what: 'void', votes: 3, games: ['a'] },
    ranges: [
      { from: 3, to: 8 },
      { from: 30, to: 31 },
    ],
  });
});
