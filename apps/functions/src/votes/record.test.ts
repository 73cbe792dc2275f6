import { expect, test } from 'vitest';
import { toldOf } from './record.ts';
import type { Act } from './vote-store.ts';

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
  ['once', [act('void', range(1, 2)), act('void', range(1, 2))], { voids: [{ from: 1, to: 2 }] }],
  ['unless that was undone', [act('void', range(1, 2)), act('undo', range(1, 2))], {}],
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
      act('times', { before: { closesAt: 9 }, after: { closesAt: 12 } }),
      act('times', { before: { closesAt: 12 }, after: { closesAt: 9 } }),
    ],
    {},
  ],
  [
    'or was moved before',
    [act('times', { before: { opensAt: 6, closesAt: 9 }, after: { opensAt: 6, closesAt: 12 } })],
    {},
  ],
  ['nothing of what was before a reset', [act('void', range(1, 2)), act('reset')], {}],
])('V13 of the record the public is told %s', (_what, record, told) => {
  expect(toldOf(record)).toEqual(told);
});
