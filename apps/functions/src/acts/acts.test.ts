import { buildNominee } from '@goty/shared/testing/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { expect, test } from 'vitest';
import type { Ballot } from '../votes/ballot.ts';
import { type Change, type Decide, NO_KEYS } from '../votes/vote-store.ts';
import {
  changeTimes,
  importActs,
  invite,
  isAffected,
  MAX_GAMES_IN_ACT,
  noteReset,
  removeGame,
  repair,
  reveal,
  revoke,
  setNominees,
  setTimes,
  undoSteps,
  voidSteps,
} from './acts.ts';
import { timesRevisionOf } from './change-times.ts';
import { changeDeskKeys, withDevice, withoutEnded } from './desk-keys.ts';

const NOW = 1_000;
const ID: unknown = expect.any(String);
const OPEN: VoteTimes = {
  opensAt: undefined,
  closesAt: 9_000,
  frozenAt: undefined,
  endsAtClose: false,
};
const FROZEN = { ...OPEN, frozenAt: 500 };
const HELD = { ...OPEN, closesAt: 900, frozenAt: 500 };

/** What an act writes into a vote with these times. */
const written = (decide: Decide, times = OPEN, keys = NO_KEYS): Change =>
  decide({ times, keys, codeKey: undefined, voteId: 'v' }, NOW);

test('V10 S23 a freeze, its end and a close are noted, and the sums counted if they were found to be wrong', () => {
  const seen = timesRevisionOf(OPEN);
  const hide = written(changeTimes({ frozenAt: 'now' }, seen, 'desk', 15_000));
  const times = { ...OPEN, frozenAt: NOW + 1 };
  expect(hide).toEqual({
    times,
    recount: false,
    acts: [{ id: ID, at: NOW, by: 'desk', what: 'times', before: OPEN, after: times }],
  });
  const wrong = changeTimes({ frozenAt: 'never' }, timesRevisionOf(HELD), 'desk', 15_000, true);
  expect(written(wrong, HELD)).toMatchObject({ recount: true, acts: [{ what: 'reveal' }] });
  const close = written(changeTimes({ closesAt: 'now' }, seen, 'desk', 2_000));
  expect(close.times).toMatchObject({ closesAt: NOW + 2_000, frozenAt: NOW + 2_000 });
});

test('D6 S14 times that are the same are not written, and those that nobody has seen are refused', () => {
  expect(written(setTimes((times) => ({ ...times }), 'command'))).toEqual({});
  const stale = changeTimes({ frozenAt: 'now' }, timesRevisionOf(FROZEN), 'desk', 0);
  expect(() => written(stale)).toThrow('changed-meanwhile');
  // A transaction that runs again after its reply was lost finds its own work.
  const hide = changeTimes({ frozenAt: 'now' }, timesRevisionOf(OPEN), 'desk', 0);
  expect(written(hide, written(hide).times)).toEqual({});
});

test('V10 a freeze ends once, by an operator at any time, by a server after the close if it ends with that', () => {
  const shown = { ...HELD, frozenAt: undefined };
  expect(written(reveal('command'), HELD)).toEqual({
    times: shown,
    recount: false,
    acts: [{ id: ID, at: NOW, by: 'command', what: 'reveal', before: HELD, after: shown }],
  });
  expect(written(reveal('command', undefined, true), HELD)).toMatchObject({ recount: true });
  expect(written(reveal('command'), shown)).toEqual({});
  expect(written(reveal('server', NOW), HELD)).toEqual({});
  expect(written(reveal('server', 899), { ...HELD, endsAtClose: true })).toEqual({});
  expect(written(reveal('server', 900), { ...HELD, endsAtClose: true }).times).toEqual(shown);
  // A freeze that has not begun has hidden nothing.
  const planned = { ...OPEN, frozenAt: NOW + 5 };
  expect(written(reveal('command'), planned).acts).toMatchObject([{ what: 'times' }]);
  expect(written(reveal('command'), FROZEN).acts).toMatchObject([{ what: 'reveal' }]);
});

test('O19 a result that is shown at the desk is noted as by a command', () => {
  const told = changeTimes({ frozenAt: 'never' }, timesRevisionOf(HELD), 'desk', 0);
  const byCommand = written(reveal('command'), HELD);
  const acts = byCommand.acts?.map((act) => ({ ...act, id: ID, by: 'desk' }));
  expect(written(told, HELD)).toEqual({ ...byCommand, acts });
});

test('D1 a code lets one browser in, and what changes no key writes nothing', () => {
  const keys = { codes: [{ hash: 'c', until: NOW + 1 }], devices: [] };
  const letIn = (code: string) => changeDeskKeys((keys, now) => withDevice(keys, code, 'd', now));
  const codes = [{ hash: 'c', until: NOW + 1, isOver: true }];
  const after = { codes, devices: [{ hash: 'd', since: NOW, code: 'c' }] };
  expect(written(letIn('c'), OPEN, keys)).toEqual({ keys: after });
  expect(written(letIn('x'), OPEN, keys)).toEqual({});
});

test('D11 an invitation and the end of a browser are acts of the desk, once each', () => {
  const acts = (what: string) => [{ id: ID, at: NOW, by: 'desk', what }];
  const codes = [{ hash: 'c', until: NOW + 900_000, from: 'o' }];
  const operator = { hash: 'o', since: NOW };
  const devices = [{ hash: 'd', since: NOW, code: 'c' }, operator];
  const letIn = invite('c', 'o');
  const invited = { codes, devices: [operator] };
  expect(written(letIn, OPEN, { codes: [], devices: [operator] })).toEqual({
    keys: invited,
    acts: acts('invite'),
  });
  // A transaction that runs again after its reply was lost, and a copy that comes when the code is used up.
  expect(written(letIn, OPEN, invited)).toEqual({});
  expect(written(letIn, OPEN, { codes: [], devices })).toEqual({});
  // A browser that was ended meanwhile.
  expect(written(letIn, OPEN, { codes: [], devices: [] })).toEqual({});
  const ended = written(revoke('d'), OPEN, { codes, devices });
  expect(ended).toEqual({ keys: invited, acts: acts('revoke') });
  const link = { hash: 'l', until: NOW + 900_000 };
  const left = written(revoke('o'), OPEN, { codes: [...codes, link], devices });
  expect(left.keys).toEqual({
    codes: [...codes.map((code) => ({ ...code, isOver: true })), link],
    devices: devices.slice(0, 1),
  });
  expect(written(revoke('e'), OPEN, { codes, devices })).toEqual({});
});

const DAY = 86_400_000;
const wasLetIn = (since: number) => ({ codes: [], devices: [{ hash: 'd', since }] });

test('D2 browsers end 24 h after the close or their coming, and 7 days after their coming in any case', () => {
  const endOf = (since: number, closesAt?: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].find(
      (day) => withoutEnded(wasLetIn(since), day * DAY, closesAt).devices.length === 0,
    );
  expect([endOf(0, 0), endOf(DAY, 0), endOf(0, 2 * DAY)]).toEqual([1, 2, 3]);
  expect([endOf(0), endOf(0, 9 * DAY), endOf(3 * DAY)]).toEqual([7, 7, 10]);
});

test('D2 a browser that has ended does not come back with other times, and a reset ends all', () => {
  const closed = { ...OPEN, closesAt: NOW - DAY };
  const keys = { codes: [{ hash: 'c', until: NOW }], devices: wasLetIn(NOW - 2 * DAY).devices };
  for (const closesAt of [undefined, NOW + 1]) {
    const reopen = written(
      setTimes((times) => ({ ...times, closesAt }), 'command'),
      closed,
      keys,
    );
    expect(reopen.keys).toEqual(NO_KEYS);
  }
  const later = setTimes((times) => ({ ...times, closesAt: NOW + 1 }), 'command');
  expect(written(later, OPEN, wasLetIn(NOW))).not.toHaveProperty('keys');
  expect(written(noteReset(3), OPEN, wasLetIn(NOW)).keys).toEqual(NO_KEYS);
});

test('S23 what else is done is written with its act', () => {
  const nominees = [buildNominee({ id: 'a' })];
  const by = { id: ID, at: NOW, by: 'command' } as const;
  expect(written(setNominees(nominees, 'init'))).toEqual({
    nominees,
    acts: [{ ...by, what: 'init', games: ['a'] }],
  });
  expect(written(removeGame('a', 3))).toEqual({
    removed: ['a'],
    acts: [{ ...by, what: 'remove', games: ['a'], votes: 3 }],
  });
  expect(written(repair(['x'], 2))).toEqual({
    missing: ['x'],
    recount: true,
    acts: [{ ...by, what: 'repair', votes: 2 }],
  });
  const many = Array.from({ length: MAX_GAMES_IN_ACT + 1 }, (_, id) =>
    buildNominee({ id: `${id}` }),
  );
  expect(written(setNominees(many, 'nominees')).acts).toEqual([{ ...by, what: 'nominees' }]);
  const old = { id: 'x', at: 1, by: 'desk', what: 'void' } as const;
  expect(written(importActs([old], 'own', 4)).acts).toEqual([
    old,
    { ...by, id: 'own', what: 'import', votes: 4 },
  ]);
});

test('S23 an act keeps its id when a transaction is tried again', () => {
  for (const decide of [
    setNominees([], 'init'),
    noteReset(3),
    reveal('desk'),
    setTimes(() => OPEN, 'desk'),
  ]) {
    const [first, second] = [written(decide, HELD), written(decide, HELD)].map(({ acts }) => acts);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  }
});

test('O19 D9 ballots of each range are voided by an act of their own, in steps that tell what they have changed', () => {
  const ballots = Array.from({ length: 1_210 }, (_, id): Ballot => {
    const voided = id === 0 ? { voided: 'before' } : {};
    return { id: `${id}`, game: 'a', at: id < 1_200 ? 15 : 30 + id, ...voided };
  });
  const ranges = [
    { from: 10, to: 20 },
    { from: 1_235, to: 9_000 },
  ];
  const found = ballots.filter((ballot) => isAffected(ballot, ranges, false));
  const steps = voidSteps(found, ranges, 'desk');
  const groups = steps.map((step) => written(step).ballots?.group.length);
  expect(groups).toEqual([500, 500, 199, 5]);
  const acts = steps.map((step) => {
    const { ballots } = written(step);
    // One of them was changed by somebody else.
    const [act] = ballots?.actsOf?.(ballots.group.slice(1)) ?? [];
    expect(ballots?.to).toEqual({ voidedBy: act?.id });
    return act;
  });
  expect(new Set(acts.map((act) => act?.id)).size).toBe(2);
  const told = { id: ID, at: NOW, by: 'desk', what: 'void', games: ['a'] };
  expect(acts).toEqual([
    { ...told, votes: 499, ranges: [{ from: 15, to: 16 }] },
    { ...told, votes: 499, ranges: [{ from: 15, to: 16 }], part: 1 },
    { ...told, votes: 198, ranges: [{ from: 15, to: 16 }], part: 2 },
    { ...told, votes: 4, ranges: [{ from: 1_236, to: 1_240 }] },
  ]);
  const voided = [
    { id: '0', game: 'a', at: 15, voided: 'before' },
    { id: '1', game: 'a', at: 15, voided: 'x' },
  ];
  const undone = undoSteps(voided, 'command').map((step) => written(step).ballots);
  expect(undone.map((change) => change?.actsOf?.(change.group))).toMatchObject([
    [{ what: 'undo', undoes: 'before', votes: 1 }],
    [{ what: 'undo', undoes: 'x', votes: 1 }],
  ]);
  expect(voidSteps([], ranges, 'desk')).toEqual([]);
});
