import { setImmediate } from 'node:timers/promises';
import { buildNominee } from '@goty/shared/testing/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { describe, expect, test } from 'vitest';
import {
  changeBallots,
  changeInSteps,
  removeGame,
  repair,
  reveal,
  revealAtClose,
  setNominees,
  setTimes,
  setVoteId,
  undoSteps,
  voidSteps,
} from '../acts/acts.ts';
import { changeDeskKeys } from '../acts/desk-keys.ts';
import { wholeActs } from '../acts/record.ts';
import { endCodes, makeCodes } from '../acts/voting-codes.ts';
import { type Ballot, type CastBallot, tallyOf } from './ballot.ts';
import {
  type ActPart,
  type BallotFilter,
  hasRightSum,
  NO_KEYS,
  type VoteStore,
} from './vote-store.ts';

/** An empty store, with what the contract cannot do through the port. */
export interface StoreUnderTest {
  readonly store: VoteStore;
  /** Whether sums show votes only once they are settled, and a vote that is counted may say it was counted before. */
  readonly isLate?: boolean;
  /** The same store as an operator's command opens it beside this one. */
  other(): Promise<VoteStore>;
  /** The same store as the next process finds it after this one was killed. */
  crash(): Promise<StoreUnderTest>;
  /** Sets a stored sum to a wrong number, by hand. */
  setVotos(game: string, votos: number): Promise<void>;
  /** Stores a ballot without adding it to a sum, by hand. */
  addBallot(ballot: Ballot): Promise<void>;
}

/** The nominees of the contract's tests, out of order. */
const NOMINEES = [buildNominee({ id: 'b' }), buildNominee({ id: 'a' })];

/**
 * The contract of the store port as tests: what the random sequences of store-model-contract.ts do not reach. Every
 * adapter's test calls both once, with how to open a new, empty store.
 */
export function describeVoteStore(name: string, open: () => Promise<StoreUnderTest>) {
  describe(name, () => {
    test('S9 S14 the revision is another after another process has changed nominees, times or sums', async () => {
      const { store, other, setVotos } = await openWithNominees(open);
      const operator = await other();
      const revisions = [(await store.state()).revision];
      for (const change of [
        () => operator.change(setNominees([buildNominee({ id: 'c' })])),
        () => operator.change(removeGame('c')),
        () => operator.change(setTimes((times) => ({ ...times, opensAt: 5 }), 'command')),
        () => setVotos('a', 7).then(() => operator.change(repair([]))),
      ]) {
        await change();
        revisions.push((await store.state()).revision);
      }
      expect(new Set(revisions).size).toBe(5);
      await store.commit([ballot('1', 'a')]);
      expect((await store.state()).revision).toBe(revisions.at(-1));
    });

    test('S14 of two changes of the times at once none is lost, and one that is refused changes nothing', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await Promise.all([
        store.change(setTimes((times) => ({ ...times, opensAt: 5 }), 'command')),
        operator.change(setTimes((times) => ({ ...times, closesAt: 7 }), 'command')),
      ]);
      const refused = store.change(
        setTimes(() => {
          throw new Error('too late');
        }, 'command'),
      );
      await expect(refused).rejects.toThrow('too late');
      expect((await store.state()).times).toMatchObject({ opensAt: 5, closesAt: 7 });
    });

    test('D1 the keys of the desk are changed in one transaction, by the clock of the store', async () => {
      const { crash, other, store } = await openWithNominees(open);
      const operator = await other();
      expect((await store.state()).keys).toEqual(NO_KEYS);
      const add = (to: VoteStore, hash: string) =>
        to.change(
          changeDeskKeys((keys, since) => ({
            ...keys,
            devices: [...keys.devices, { hash, since }],
          })),
        );
      await Promise.all([add(store, 'a'), add(operator, 'b'), add(store, 'c')]);
      const { devices } = (await (await crash()).store.state()).keys;
      expect(devices.map(({ hash }) => hash).toSorted()).toEqual(['a', 'b', 'c']);
      // The emulator's clock is this machine's.
      for (const { since } of devices) expect(Math.abs(Date.now() - since)).toBeLessThan(60_000);
    });

    test('V17 V18 what is known of codes is changed in one transaction, seen by every server, and forgotten whole', async () => {
      const { crash, other, store } = await openWithNominees(open);
      const operator = await other();
      expect((await store.state()).codeKey).toBeUndefined();
      await Promise.all([store, operator, store].map((each) => makeCodes(each, 2)));
      const { codeKey } = await (await crash()).store.state();
      expect(codeKey).toEqual({
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        made: 6,
        revoked: [],
      });
      const { revision } = await store.state();
      await operator.change(endCodes());
      const after = await store.state();
      expect(after.codeKey).toBeUndefined();
      expect(after.revision).not.toBe(revision);
      await operator.change(setNominees([]));
      expect((await store.state()).codeKey).toBeUndefined();
    });

    test('S10 a game whose removal was interrupted cannot be added, nor can others with it, until it is complete', async () => {
      const { addBallot, other, store } = await openWithNominees(open);
      const operator = await other();
      await store.commit([ballot('1', 'a')]);
      await operator.change(removeGame('a'));
      await addBallot(ballot('2', 'a'));
      const nominees = [buildNominee({ id: 'a' }), buildNominee({ id: 'c' })];
      await expect(operator.change(setNominees(nominees))).rejects.toThrow(
        /^a still has ballots, [^\n]*`goty nominees remove a`, then add it\.$/,
      );
      expect(await votosOf(store)).toEqual({ b: 0 });
      await operator.change(removeGame('a'));
      await operator.change(setNominees(nominees));
      expect(await store.commit([ballot('1', 'a')])).toEqual(['counted']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0, c: 0 });
    });

    test('S13 S10 a repair removes the ballots of a missing game, unless that was added meanwhile', async () => {
      const { addBallot, store } = await openWithNominees(open);
      await addBallot(ballot('1', 'gone'));
      await store.change(removeGame('a'));
      await store.change(setNominees([buildNominee({ id: 'a' })]));
      await store.commit([ballot('2', 'a')]);
      await store.change(repair(['a', 'gone']));
      expect(await ballotsOf(store)).toEqual([ballot('2', 'a')]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('V14 a vote that says which one it replaces takes its place, and none that arrives late does', async () => {
      const { isLate, store } = await openWithNominees(open);
      const a = { id: 'x', game: 'a', at: 10 };
      const b = { id: 'x', game: 'b', at: 10 };
      const cast = async (vote: CastBallot) => (await store.commit([vote]))[0];
      // The reply that said so may be lost.
      const done = (outcome: string) => (isLate ? expect.anything() : outcome);
      const { changes } = await store.state();
      expect(await cast(a)).toEqual(done('counted'));
      await store.settle();
      const before = await store.games();
      expect(await cast(b)).toEqual({ votedFor: 'a', votedAt: 10 });
      const toB = { ...b, at: 20, replaces: 10 };
      expect(await cast(toB)).toEqual(done('moved'));
      expect(await votosOf(store)).toEqual({ a: 0, b: 1 });
      // Its answer was lost.
      expect(await cast(toB)).toEqual({ votedFor: 'b', votedAt: 20 });
      // At a server whose clock is behind: the time is not later than that of the ballot that it replaces.
      expect(await cast({ ...a, at: 15, replaces: 20 })).toEqual(done('moved'));
      // Only now does another copy arrive, and so does the first press.
      expect(await cast(toB)).toEqual({ votedFor: 'a', votedAt: 21 });
      expect(await cast(a)).toEqual({ votedFor: 'a', votedAt: 21 });
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      expect(await ballotsOf(store)).toEqual([{ ...a, at: 21 }]);
      // A change is no act of the operator.
      expect((await store.state()).changes).toBe(changes);
      // Who has read the sums before learns that they are others.
      const tally = await store.tally();
      expect(tally).toBe(tallyOf(await store.games()));
      expect(tally).toBeGreaterThan(tallyOf(before));
    });

    test('V14 a later ballot for the same game takes the place of the one that it names, and no copy takes it back', async () => {
      const { isLate, store } = await openWithNominees(open);
      const renewed = { id: 'x', game: 'a', at: 9, replaces: 5 };
      await store.commit([{ id: 'x', game: 'a', at: 5 }]);
      expect(await store.commit([renewed])).toEqual([isLate ? expect.anything() : 'moved']);
      for (const late of [renewed, { ...renewed, game: 'b', at: 7 }])
        expect(await store.commit([late])).toEqual([{ votedFor: 'a', votedAt: 9 }]);
      expect(await ballotsOf(store)).toEqual([{ id: 'x', game: 'a', at: 9 }]);
      // During a freeze it stays in what is shown.
      await store.change(setTimes(freezing(undefined, false), 'command'));
      await store.commit([{ id: 'x', game: 'a', at: FUTURE, replaces: 9 }]);
      await store.settle();
      expect(await store.recount()).toMatchObject([{ votos: 1, hidden: 0, ballots: 1 }, {}]);
      await store.change(changeBallots([{ id: 'x', game: 'a', at: FUTURE }], 'gone'));
      expect(await store.recount()).toMatchObject([{ votos: 1, hidden: -1, ballots: 0 }, {}]);
    });

    test('S21 a vote that was changed since it was read stays as it is, also if it is for the same game again', async () => {
      const { store } = await openWithNominees(open);
      const marks = [{}, { voided: 'act' }];
      const read = marks.map((mark, id) => ({ id: `${id}`, game: 'a', at: 10, ...mark }));
      await store.commit(read);
      for (const [game, at] of [
        ['b', 20],
        ['a', 30],
      ] as const) {
        const replaces = at - 10;
        await store.commit(read.map(({ id }) => ({ id, game, at, replaces })));
      }
      const changed = read.map((ballot) => ({ ...ballot, at: 30 }));
      for (const to of [{ voidedBy: 'other' }, 'valid', 'gone'] as const)
        expect(await store.change(changeBallots(read, to))).toBe(0);
      expect(await ballotsOf(store)).toEqual(changed);
      await store.settle();
      expect(await store.recount()).toMatchObject([{ votos: 1, ballots: 1, voided: 1 }, {}]);
      expect(await store.change(changeBallots(changed, { voidedBy: 'other' }))).toBe(1);
      expect(await store.change(changeBallots(changed, 'gone'))).toBe(2);
    });

    test('V14 of the changes of one vote in a group, the first that is right counts', async () => {
      const { isLate, store } = await openWithNominees(open);
      await store.change(setNominees([buildNominee({ id: 'c' })]));
      await store.commit([{ id: 'x', game: 'a', at: 10 }]);
      const change = (game: string, replaces: number) => ({ id: 'x', game, at: 20, replaces });
      const group = [
        ...[change('b', 9), change('b', 10)],
        ...[ballot('y', 'a'), ballot('z', 'b')],
        ...[change('b', 10), change('c', 10)],
      ];
      const outcomes = await store.commit(group);
      const [refused, , , , ...last] = outcomes;
      expect(refused).toEqual(isLate ? expect.anything() : { votedFor: 'a', votedAt: 10 });
      const changed = { votedFor: 'b', votedAt: 20 };
      expect(last).toEqual([changed, changed]);
      if (!isLate) expect(outcomes.slice(1, 4)).toEqual(['moved', 'counted', 'counted']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 2, c: 0 });
      // One that replaces what is not there any more counts nothing.
      await store.change(changeBallots([{ id: 'x', game: 'b', at: 20 }], 'gone'));
      expect(await store.commit([change('c', 20)])).toEqual(['nothing-to-replace']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 1, c: 0 });
    });

    test('V16 a new store has a vote of its own, and whatever was cast in another one counts nothing', async () => {
      const { isLate, store, other } = await openWithNominees(open);
      const operator = await other();
      const { changes, voteId } = await store.state();
      expect(voteId).toMatch(/^[0-9a-f]{8}$/);
      const cast = async (vote: CastBallot) => (await store.commit([vote]))[0];
      expect(await cast({ ...ballot('1', 'a'), voteId })).toEqual(
        isLate ? expect.anything() : 'counted',
      );
      await operator.change(setVoteId('next'));
      // In the cloud, a vote that comes alone goes by what its server has heard.
      await store.state();
      const late = { ...ballot('2', 'a'), voteId };
      const change = { ...late, id: '1', replaces: FUTURE };
      expect(await store.commit([late, change, ballot('3', 'a')])).toEqual([
        'other-vote',
        'other-vote',
        isLate ? expect.anything() : 'counted',
      ]);
      expect(await store.state()).toMatchObject({ voteId: 'next', changes: changes + 1 });
      expect(await ballotsOf(store)).toEqual(['1', '3'].map((id) => ballot(id, 'a')));
    });

    test('V14 of two servers that change the same ten votes at once, each vote is changed by one of them', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await store.change(setNominees([buildNominee({ id: 'c' })]));
      const ids = Array.from({ length: 10 }, (_, id) => `${id}`);
      await store.commit(ids.map((id) => ballot(id, 'a')));
      const change = (by: VoteStore, game: string) =>
        by.commit(ids.map((id) => ({ id, game, at: FUTURE + 5, replaces: ballot(id, 'a').at })));
      const outcomes = await Promise.all([change(store, 'b'), change(operator, 'c')]);
      await store.settle();
      const { a, b = 0, c = 0 } = await votosOf(store);
      expect([a, b + c]).toEqual([0, 10]);
      expect(outcomes.flat().filter((outcome) => outcome === 'moved')).toHaveLength(10);
    });

    test('V10 V14 a vote from before a freeze that is changed during it stays in the sum that is shown until that ends', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const at = FUTURE;
      await store.commit(['1', '2', '3'].map((id) => ({ id, game: 'a', at: 5 })));
      await operator.change(setTimes(freezing(undefined, false), 'command'));
      const { changes } = await store.state();
      const move = (id: string, game: string, replaces: number) =>
        store.commit([{ id, game, at, replaces }]);
      for (const id of ['1', '2']) await move(id, 'b', 5);
      expect(await votosOf(store)).toEqual({ a: 3, b: 0 });
      const a = { ballots: 1, hidden: -2, votos: 3 };
      const b = { ballots: 2, hidden: 2, votos: 0 };
      expect(await store.recount()).toMatchObject([a, b]);
      // Voided, changed again or removed, what is shown stays.
      await operator.change(changeBallots([{ id: '1', game: 'b', at }], { voidedBy: 'act' }));
      await move('1', 'a', at);
      const voided = { id: '1', game: 'a', at: at + 1, voided: 'act' };
      expect(await ballotsOf(store, { game: 'a' })).toEqual([
        voided,
        { id: '3', game: 'a', at: 5 },
      ]);
      await operator.change(changeBallots([{ id: '2', game: 'b', at }], 'gone'));
      expect(await votosOf(store)).toEqual({ a: 3, b: 0 });
      expect((await store.state()).changes).toBe(changes);
      await store.change(reveal('command'));
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S20 V10 a repair in a freeze keeps a vote in what is shown that was moved away and removed since', async () => {
      const { store } = await openWithNominees(open);
      await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 5 })));
      await store.change(setTimes(freezing(undefined, false), 'command'));
      await store.commit([{ id: '1', game: 'b', at: FUTURE, replaces: 5 }]);
      await store.change(changeBallots([{ id: '1', game: 'b', at: FUTURE }], 'gone'));
      const { frozenAt = 0 } = (await store.state()).times;
      while (Date.now() < frozenAt) await setImmediate();
      await store.change(repair([]));
      expect(await store.recount()).toMatchObject([
        { game: 'a', votos: 2, hidden: -1, ballots: 1 },
        { game: 'b', votos: 0, hidden: 0, ballots: 0 },
      ]);
      await store.change(reveal('command'));
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S20 V10 a freeze that is moved, back-dated or cancelled hides what is cast from its time on, and takes back nothing that was shown', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const cast = async (id: string, at: number, change: Partial<CastBallot> = {}) => {
        await store.state();
        await store.commit([{ id, game: 'a', at, ...change }]);
        await store.settle();
      };
      const sums = async () => {
        const [{ votos, hidden } = {}] = await store.recount();
        return [votos, hidden];
      };
      const freeze = (at: number) => operator.change(setTimes(freezing(at, false), 'command'));
      await freeze(FUTURE);
      await cast('1', FUTURE - 1);
      await cast('2', FUTURE);
      expect(await sums()).toEqual([1, 1]);
      // Later: what was cast before that time is shown.
      await freeze(FUTURE + 10);
      expect(await sums()).toEqual([2, 0]);
      await cast('3', FUTURE + 9);
      expect(await sums()).toEqual([3, 0]);
      // Earlier: what was shown stays, and what becomes of it is seen when the freeze ends.
      await freeze(FUTURE + 5);
      expect(await sums()).toEqual([3, 0]);
      await operator.change(voiding([{ id: '3', game: 'a', at: FUTURE + 9 }]));
      await cast('2', FUTURE + 5, { game: 'b', replaces: FUTURE });
      expect(await sums()).toEqual([3, -2]);
      await operator.change(voiding([{ id: '1', game: 'a', at: FUTURE - 1 }]));
      await cast('4', FUTURE + 4);
      expect(await sums()).toEqual([3, -2]);
      await operator.change(setTimes((times) => ({ ...times, frozenAt: undefined }), 'command'));
      expect(await votosOf(store)).toEqual({ a: 1, b: 1 });
      await cast('5', FUTURE + 9);
      expect(await sums()).toEqual([2, 0]);
    });

    test('V14 S10 a game that is removed during a freeze and added again has no vote that was moved from it', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 5 })));
      await operator.change(setTimes(freezing(undefined, false), 'command'));
      const at = FUTURE;
      await store.commit(['1', '2'].map((id) => ({ id, game: 'b', at, replaces: 5 })));
      await operator.change(removeGame('a'));
      await operator.change(setNominees([buildNominee({ id: 'a' })]));
      expect(await store.recount()).toMatchObject([
        { game: 'a', votos: 0, ballots: 0, hidden: 0 },
        { game: 'b', votos: 0, ballots: 2, hidden: 2 },
      ]);
    });

    test('S20 V1 V10 a freeze is moved and cancelled, before and after votes that are there, beside a store that has not heard of it', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const at = (id: string, time: number) => ({ id, game: 'a', at: FUTURE + time });
      const shownAfter = async (change: () => Promise<unknown>) => {
        await change();
        await store.settle();
        expect((await operator.recount()).filter((count) => !hasRightSum(count))).toEqual([]);
        return votosOf(operator);
      };
      const freezeFrom = (time: number) =>
        operator.change(setTimes(freezing(FUTURE + time, false), 'command'));
      const voidOne = (ballot: Ballot) => operator.change(voiding([ballot]));
      await store.commit([at('1', 0), at('2', 10), at('3', 20)]);
      await store.state();
      // From before two of them on.
      expect(await shownAfter(() => freezeFrom(10))).toEqual({ a: 3, b: 0 });
      expect(await shownAfter(() => voidOne(at('3', 20)))).toEqual({ a: 3, b: 0 });
      expect(await shownAfter(() => voidOne(at('1', 0)))).toEqual({ a: 2, b: 0 });
      // Whether these show is not known: the store goes by what it knows.
      await shownAfter(() => store.commit([at('4', 12)]));
      await shownAfter(() => store.commit([{ ...at('2', 15), game: 'b', replaces: FUTURE + 10 }]));
      // What was hidden shows, and is hidden no more.
      expect(await shownAfter(() => freezeFrom(14))).toEqual({ a: 1, b: 1 });
      expect(await shownAfter(() => voidOne(at('4', 12)))).toEqual({ a: 0, b: 1 });
      await shownAfter(() =>
        operator.change(changeBallots([{ ...at('2', 15), game: 'b' }], 'gone')),
      );
      await shownAfter(() => store.commit([at('5', 30)]));
      const cancel = setTimes((times) => ({ ...times, frozenAt: undefined }), 'command');
      expect(await shownAfter(() => operator.change(cancel))).toEqual({ a: 1, b: 0 });
      await store.state();
      expect((await store.hidden()).votes).toEqual(new Map());
    });

    test('S20 a store that does not know of the end of a freeze, or of its beginning, loses no ballot', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await operator.change(setTimes(freezing(undefined, true), 'command'));
      // A second one keeps its beginning.
      await operator.change(setTimes(freezing(undefined, true), 'command'));
      const { frozenAt = 0 } = (await operator.state()).times;
      expect(frozenAt).toBeLessThan(FUTURE);
      const at = FUTURE;
      await store.commit([{ id: '1', game: 'a', at }]);
      await Promise.all([store.change(reveal('command')), operator.change(reveal('command'))]);
      await store.commit([{ id: '2', game: 'a', at }]);
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
    });

    test('V10 S20 a freeze outlasts the close until the operator ends it, and votes are voided meanwhile', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const at = FUTURE;
      await operator.change(setTimes(freezing(undefined, false), 'command'));
      await store.commit([1, 2, 3].map((id) => ({ id: `${id}`, game: 'a', at })));
      await operator.change(setTimes((times) => ({ ...times, closesAt: at }), 'command'));
      await Promise.all([
        store.change(reveal('server', at)),
        operator.change(reveal('server', at + 1)),
      ]);
      expect(await operator.change(voiding([{ id: '1', game: 'a', at }]))).toBe(1);
      expect(await votosOf(store)).toEqual({ a: 0, b: 0 });
      expect(await store.recount()).toMatchObject([{ ballots: 2, voided: 1, hidden: 2 }, {}]);
      await operator.change(reveal('command'));
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
      // As a change of the times, with the same result.
      await operator.change(setTimes(freezing(at + 9_000, true), 'command'));
      await operator.change(
        setTimes((times) => ({ ...times, frozenAt: undefined, endsAtClose: false }), 'command'),
      );
      expect((await store.state()).times).toMatchObject({
        frozenAt: undefined,
        endsAtClose: false,
      });
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
    });

    test('S20 V1 a reveal sets every sum from the ballots if one was found to be wrong, and a repair in a freeze shows nothing', async () => {
      const { store, setVotos } = await openWithNominees(open);
      await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 5 })));
      await store.change(setTimes(freezing(undefined, false), 'command'));
      const { frozenAt = 0 } = (await store.state()).times;
      await store.commit([{ id: '3', game: 'a', at: FUTURE }]);
      await store.settle();
      await setVotos('a', 7);
      const wrong = (await store.recount()).find(({ game }) => game === 'a');
      expect(wrong).toMatchObject({ votos: 7, hidden: 1, ballots: 3 });
      while (Date.now() < frozenAt) await setImmediate();
      await store.change(repair([]));
      expect((await store.recount())[0]).toMatchObject({ votos: 7, hidden: -4, ballots: 3 });
      // Below zero, it is shown as none, and so it stays.
      await setVotos('a', -1);
      await store.change(repair([]));
      expect((await store.recount())[0]).toMatchObject({ votos: 0, hidden: 3, ballots: 3 });
      await setVotos('a', 8);
      await store.change(reveal('command', undefined, true));
      expect((await store.recount())[0]).toMatchObject({ votos: 3, hidden: 0, ballots: 3 });
    });

    test('S20 W146 V1 a freeze that ends by itself shows what was voted, also if a sum was damaged by hand meanwhile', async () => {
      const { store, other, setVotos } = await openWithNominees(open);
      const operator = await other();
      const closesAt = FUTURE + 1;
      await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 5 })));
      const freeze = freezing(undefined, true);
      const set = setTimes((times, now) => ({ ...freeze(times, now), closesAt }), 'command');
      await store.change(set);
      await store.commit([
        { id: '2', game: 'b', at: FUTURE, replaces: 5 },
        { id: '3', game: 'b', at: FUTURE },
      ]);
      await store.settle();
      await setVotos('a', 7);
      // Before the close it reveals nothing: `true` only says that a sum is wrong.
      expect(await revealAtClose(store, FUTURE)).toBe(true);
      expect((await store.state()).times.endsAtClose).toBe(true);
      await Promise.all([revealAtClose(store, closesAt), revealAtClose(operator, closesAt)]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 2 });
      expect((await store.recount()).map(({ hidden }) => hidden)).toEqual([0, 0]);
      expect(await revealAtClose(store, closesAt)).toBe(false);
    });

    test('S23 what changes the times is in the record, once, and so is what is noted, in the order in which it was done', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const noted = { id: 'x', at: 1, by: 'desk', what: 'void', votes: 3, games: ['a'] } as const;
      await operator.change(setTimes((times) => ({ ...times, closesAt: 7 }), 'command'));
      await operator.change(setTimes((times) => ({ ...times, closesAt: 7 }), 'command'));
      await operator.change(noting(noted, noted));
      await operator.change(noting(noted));
      await operator.change(noting());
      await store.change(reveal('server'));
      await operator.change(setTimes(freezing(5, false), 'desk'));
      await store.change(reveal('command'));
      const before = { endsAtClose: false };
      expect(wholeActs(await store.record())).toEqual([
        {
          id: expect.any(String),
          at: expect.any(Number),
          by: 'command',
          what: 'times',
          before,
          after: { ...before, closesAt: 7 },
        },
        noted,
        expect.objectContaining({
          by: 'desk',
          after: { endsAtClose: false, closesAt: 7, frozenAt: 5 },
        }),
        expect.objectContaining({ by: 'command', what: 'reveal' }),
      ]);
      expect(await operator.record()).toEqual(await store.record());
    });

    test('S21 S23 each write of a void, or of its undo, comes with its part of the act, and says what is left', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 520 }, (_, id) => ({
        id: `${id}`,
        game: 'a',
        at: 100 + id,
      }));
      await store.commit(group);
      const range = { from: 0, to: 2_000 };
      const steps = voidSteps(await ballotsOf(store), [range], 'desk');
      // Somebody else is faster, and this one is interrupted, and begun again.
      await store.change(changeBallots(group.slice(0, 10), { voidedBy: 'other' }));
      const changed = await changeInSteps(store, steps.slice(0, 1));
      const told = async () => {
        const acts = wholeActs(await store.record());
        const voids = (await store.voids()).toSorted((a, b) => b.votes - a.votes);
        return { acts, voids };
      };
      const half = await told();
      expect(half.acts).toMatchObject([{ what: 'void', votes: changed, games: ['a'] }]);
      const [{ id = '' } = {}] = half.acts;
      expect(half.voids).toEqual([
        { act: id, votes: changed, from: expect.any(Number), to: expect.any(Number) },
        { act: 'other', votes: 10, from: 100, to: 110 },
      ]);
      await changeInSteps(store, steps);
      expect((await told()).acts).toMatchObject([{ id, votes: 510 }]);
      expect(await ballotsOf(store, { voided: id })).toHaveLength(510);
      // Of those that are counted again, ten belong to the other act.
      const undone = (await ballotsOf(store)).filter(({ at }) => at < 150);
      expect(await changeInSteps(store, undoSteps(undone, 'command'))).toBe(50);
      const { acts, voids } = await told();
      expect(acts.slice(1).map(({ what, undoes, votes }) => [what, undoes, votes])).toEqual(
        expect.arrayContaining([
          ['undo', id, 40],
          ['undo', 'other', 10],
        ]),
      );
      expect(voids).toEqual([{ act: id, votes: 470, from: 150, to: 620 }]);
      // What takes ballots away takes them from what is left, and a recount finds the same.
      await store.change(changeBallots(group.slice(-100), 'gone'));
      await store.change(repair([]));
      expect((await told()).voids).toEqual([{ act: id, votes: 370, from: 150, to: 520 }]);
      await store.change(removeGame('a'));
      expect(await told()).toMatchObject({ voids: [] });
    });

    test('S24 what visitors can see of a change grows with it, and not with votes or what is hidden', async () => {
      const { other, store } = await openWithNominees(open);
      const operator = await other();
      const changes = [(await store.state()).changes];
      // Later than the freeze, however slow this machine is: else it would not hide the second vote.
      const at = FUTURE;
      await store.commit([{ id: '1', game: 'a', at }]);
      expect((await store.state()).changes).toBe(changes[0]);
      for (const change of [
        () => store.change(voiding([{ id: '1', game: 'a', at }])),
        () => store.change(setTimes((times) => ({ ...times, closesAt: at }), 'command')),
        () => store.change(setTimes(freezing(undefined, false), 'command')),
      ]) {
        await change();
        changes.push((await store.state()).changes);
      }
      await store.commit([{ id: '2', game: 'a', at }]);
      for (const hidden of [
        () => store.change(voiding([{ id: '2', game: 'a', at }])),
        () => store.change(noting({ id: 'x', at, by: 'desk', what: 'void' })),
        () =>
          store.change(changeDeskKeys(() => ({ ...NO_KEYS, codes: [{ hash: 'c', until: 5 }] }))),
      ]) {
        const { revision } = await operator.state();
        await hidden();
        expect((await store.state()).changes).toBe(changes[3]);
        expect((await operator.state()).revision).not.toBe(revision);
      }
      await store.change(reveal('server'));
      changes.push((await store.state()).changes);
      expect(changes).toEqual([...new Set(changes)].toSorted((a, b) => a - b));
    });

    test('S1 all ballots, or those of a game, are read in the order of their ids', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600));
      await store.commit([...group.slice(600), ballot('other', 'b')]);
      const idsOf = async (game?: string) => (await ballotsOf(store, { game })).map(({ id }) => id);
      const ids = group.map(({ id }) => id).toSorted();
      expect(await idsOf()).toEqual([...ids, 'other']);
      expect(await idsOf('a')).toEqual(ids);
      expect(await idsOf('b')).toEqual(['other']);
    });

    test('V1 S13 votes that arrive at once are all counted, and a recount meanwhile finds no difference', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      let isVoting = true;
      let sent = 0;
      const voters = ['x', 'y', 'z'].map(async (voter) => {
        for (let id = 0; isVoting; id += 1) {
          await store.commit([ballot(`${voter}${id}`, 'a')]);
          sent += 1;
          // As between two requests.
          await setImmediate();
        }
      });
      for (let time = 0; time < 10; time += 1) {
        const found = await Promise.all([operator.recount(), operator.recount()]);
        for (const { votos, ballots } of found.flat()) expect(votos).toBe(ballots);
      }
      isVoting = false;
      await Promise.all(voters);
      expect(await votosOf(store)).toEqual({ a: sent, b: 0 });
    });
  });
}

export async function openWithNominees(open: () => Promise<StoreUnderTest>) {
  const opened = await open();
  await opened.store.change(setNominees(NOMINEES));
  return opened;
}

/** Years after every test: a freeze that begins now hides votes of then. */
export const FUTURE = Date.UTC(2100);

const noting =
  (...acts: readonly ActPart[]) =>
  () => ({ acts });

const voiding = (group: readonly Ballot[]) => changeBallots(group, { voidedBy: 'v' });

export function ballot(id: string, game: string): Ballot {
  return { id, game, at: 1_700_000_000_000 };
}

async function votosOf(store: VoteStore): Promise<Record<string, number>> {
  return Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));
}

export async function ballotsOf(store: VoteStore, only?: BallotFilter): Promise<Ballot[]> {
  const all: Ballot[] = [];
  for await (const ballot of store.ballots(only)) all.push(ballot);
  return all;
}

/** Freezes a vote from then on, or from now on, as commands and the desk do. One that has begun keeps its time. */
export function freezing(at: number | undefined, endsAtClose: boolean) {
  return (times: VoteTimes, now: number): VoteTimes => {
    const frozenAt = at ?? Math.min(times.frozenAt ?? Infinity, now + 1);
    return { ...times, frozenAt, endsAtClose };
  };
}
