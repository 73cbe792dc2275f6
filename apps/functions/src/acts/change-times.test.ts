import type { TimesChange, VoteTimes } from '@goty/shared/vote-times';
import { expect, test } from 'vitest';
import { applyChange, applyDeskChange, TimesError } from './change-times.ts';

const NOW = 100;

test.each<
  [what: string, before: Partial<VoteTimes>, wish: TimesChange, after: Partial<VoteTimes> | string]
>([
  ['a vote opens now', { opensAt: 200 }, { opensAt: 'now' }, {}],
  ['and at a time', {}, { opensAt: 200 }, { opensAt: 200 }],
  ['a closed one opens again', { closesAt: 50 }, { opensAt: 'now' }, {}],
  [
    'still hiding what it hid',
    { closesAt: 50, frozenAt: 40 },
    { opensAt: 'now' },
    { frozenAt: 40 },
  ],
  ['or for some time', { closesAt: 50 }, { opensAt: 'now', closesAt: 200 }, { closesAt: 200 }],
  [
    'it closes now',
    { opensAt: 50, closesAt: 300 },
    { closesAt: 'now' },
    { opensAt: 50, closesAt: NOW },
  ],
  ['before it has opened', { opensAt: 200 }, { closesAt: 'now' }, { closesAt: NOW }],
  ['never', { closesAt: 300 }, { closesAt: 'never' }, {}],
  ['not before it opens', { opensAt: 200 }, { closesAt: 150 }, 'closes-before-opening'],
  ['and again since it has', { closesAt: 50 }, { closesAt: 'now' }, { closesAt: 50 }],
  ['at no other time then', { closesAt: 50 }, { closesAt: 200 }, 'closed-already'],
  ['be it held', { closesAt: 50, frozenAt: 40 }, { closesAt: 'never' }, 'closed-already'],
  [
    'all at once, in any order',
    { opensAt: 1, closesAt: 200, frozenAt: 150 },
    { opensAt: 400, closesAt: 600, frozenAt: 500 },
    { opensAt: 400, closesAt: 600, frozenAt: 500 },
  ],
  ['it freezes now', {}, { frozenAt: 'now' }, { frozenAt: NOW + 1 }],
  [
    'once',
    { frozenAt: 90 },
    { frozenAt: 'now', endsAtClose: true },
    { frozenAt: 90, endsAtClose: true },
  ],
  ['not since a time that is past', {}, { frozenAt: 90 }, 'freeze-is-past'],
  ['or since another one', { frozenAt: 90 }, { frozenAt: 300 }, 'frozen-already'],
  [
    'and is not shown by a change of the times',
    { frozenAt: 90 },
    { frozenAt: 'never' },
    'frozen-already',
  ],
  ['unless it has not begun', { frozenAt: 200 }, { frozenAt: 'never' }, {}],
  ['not after the close', { closesAt: 200 }, { frozenAt: 201 }, 'closes-before-freeze'],
  [
    'nor by moving that',
    { closesAt: 300, frozenAt: 250 },
    { closesAt: 200 },
    'closes-before-freeze',
  ],
  [
    'a close at once begins it',
    { closesAt: 300, frozenAt: 250 },
    { closesAt: 'now' },
    { closesAt: NOW, frozenAt: NOW },
  ],
  [
    'and so does one at a time that is past',
    { closesAt: 300, frozenAt: 250 },
    { closesAt: 50 },
    { closesAt: 50, frozenAt: 50 },
  ],
  ['no freeze ends at the close', {}, { endsAtClose: true }, 'no-freeze'],
  [
    'a closed one is not closed since another time',
    { closesAt: 50 },
    { opensAt: 1, closesAt: 40 },
    'closed-already',
  ],
  [
    'and so where it begins with that',
    { closesAt: 300, frozenAt: 300 },
    { closesAt: 'now' },
    { closesAt: NOW, frozenAt: NOW },
  ],
  [
    'from the close on only who has won is hidden',
    { closesAt: 200 },
    { frozenAt: 200 },
    { closesAt: 200, frozenAt: 200 },
  ],
  [
    'which moves with it',
    { closesAt: 200, frozenAt: 200 },
    { closesAt: 300 },
    { closesAt: 300, frozenAt: 300 },
  ],
  ['also to never', { closesAt: 200, frozenAt: 200, endsAtClose: true }, { closesAt: 'never' }, {}],
  ['a shown result is not hidden', { closesAt: 50 }, { frozenAt: 'now' }, 'nothing-to-hide'],
  [
    'a held one not shown',
    { closesAt: 50, frozenAt: 40 },
    { endsAtClose: true },
    'nothing-to-hide',
  ],
  ['nor forgotten', { closesAt: 50, frozenAt: 40 }, { frozenAt: 'never' }, 'nothing-to-hide'],
])('O10 O14 what times a vote may have: %s', (_what, before, wish, after) => {
  const times = {
    opensAt: undefined,
    closesAt: undefined,
    frozenAt: undefined,
    endsAtClose: false,
  };
  const told = () => {
    try {
      return applyChange({ ...times, ...before }, wish, NOW);
    } catch (error) {
      return error instanceof TimesError ? error.fault.code : error;
    }
  };
  expect(told()).toEqual(typeof after === 'string' ? after : { ...times, ...after });
});

/** The desk's notice before a close. */
const NOTICE = 15;
const AT = NOW + 12;

test.each<[what: string, before: Partial<VoteTimes>, after: Partial<VoteTimes>]>([
  ['without another close', {}, { closesAt: NOW + NOTICE, frozenAt: NOW + NOTICE }],
  [
    'before another close',
    { closesAt: 900, frozenAt: 900, endsAtClose: true },
    { closesAt: NOW + NOTICE, frozenAt: NOW + NOTICE },
  ],
  ['when the vote is about to close', { closesAt: AT }, { closesAt: AT, frozenAt: AT }],
  [
    'when it is about to close and to show who has won',
    { closesAt: AT, frozenAt: AT, endsAtClose: true },
    { closesAt: AT, frozenAt: AT },
  ],
  [
    'when it is about to show what has been hidden',
    { closesAt: AT, frozenAt: 50, endsAtClose: true },
    { closesAt: AT, frozenAt: 50 },
  ],
  [
    'when votes are about to be hidden',
    { closesAt: 900, frozenAt: NOW + 5, endsAtClose: true },
    { closesAt: NOW + NOTICE, frozenAt: NOW + 5 },
  ],
])('D8 a close of the desk holds the result: %s', (_what, before, after) => {
  const times = { opensAt: undefined, closesAt: undefined, frozenAt: undefined };
  const given = { ...times, endsAtClose: false, ...before };
  expect(applyDeskChange(given, { closesAt: 'now' }, NOW, NOTICE)).toEqual({
    ...times,
    endsAtClose: false,
    ...after,
  });
});

const HELD = { closesAt: 50, frozenAt: 40 };

test.each<
  [what: string, before: Partial<VoteTimes>, wish: TimesChange, after: Partial<VoteTimes> | string]
>([
  ['moves on', { opensAt: 200 }, { opensAt: 300 }, { opensAt: 300 }],
  ['not into the past', { opensAt: 200 }, { opensAt: NOW }, 'changed-meanwhile'],
  [
    'nor behind the close',
    { opensAt: 200, closesAt: 300 },
    { opensAt: 300 },
    'closes-before-opening',
  ],
  ['nor once it has come', { opensAt: 50 }, { opensAt: 300 }, 'changed-meanwhile'],
  ['comes again while a result is held', HELD, { opensAt: 'now' }, { frozenAt: 40 }],
  ['at once only', HELD, { opensAt: 300 }, 'changed-meanwhile'],
  ['not once the result is shown', { closesAt: 50 }, { opensAt: 'now' }, 'changed-meanwhile'],
  ['nor of an open vote', {}, { opensAt: 'now' }, 'changed-meanwhile'],
  // As the desk brings back the times from before a close, too late.
  [
    'stays without a wish',
    { ...HELD, opensAt: 9 },
    { opensAt: 9, closesAt: 900 },
    'closed-already',
  ],
])('D12 the opening at the desk: %s', (_what, before, wish, after) => {
  const times = { opensAt: undefined, closesAt: undefined, frozenAt: undefined };
  const given = { ...times, endsAtClose: false, ...before };
  const change = () => applyDeskChange(given, wish, NOW, NOTICE);
  if (typeof after === 'string') expect(change).toThrow(after);
  else expect(change()).toEqual({ ...times, endsAtClose: false, ...after });
});
