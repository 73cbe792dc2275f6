import { buildNominee } from '@goty/shared/testing/nominee';
import { describe, expect, test } from 'vitest';
import {
  ballot,
  ballotsOf,
  openWithNominees,
  type StoreUnderTest,
  votosOf,
} from './vote-store-contract.ts';

/**
 * The contract of the store port as tests, as far as the operator's commands need it.
 *
 * @param open opens a new, empty store
 */
export function describeOperatorStore(name: string, open: () => Promise<StoreUnderTest>) {
  describe(name, () => {
    test('S9 S14 the revision is another after another process has changed nominees, times or sums', async () => {
      const { store, other, setVotos } = await openWithNominees(open);
      const operator = await other();
      const revisions = [(await store.state()).revision];
      for (const change of [
        () => operator.setNominees([buildNominee({ id: 'c' })]),
        () => operator.removeGame('c'),
        () => operator.setTimes(() => ({ opensAt: 5, closesAt: undefined })),
        () => setVotos('a', 7).then(() => operator.repair([])),
      ]) {
        await change();
        revisions.push((await store.state()).revision);
      }
      expect(new Set(revisions).size).toBe(5);
      await store.commit([ballot('1', 'a')], undefined);
      expect((await store.state()).revision).toBe(revisions.at(-1));
    });

    test('S14 of two changes of the times at once none is lost, and one that is refused changes nothing', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await Promise.all([
        store.setTimes((times) => ({ ...times, opensAt: 5 })),
        operator.setTimes((times) => ({ ...times, closesAt: 7 })),
      ]);
      const refused = store.setTimes(() => {
        throw new Error('too late');
      });
      await expect(refused).rejects.toThrow('too late');
      expect((await store.state()).times).toEqual({ opensAt: 5, closesAt: 7 });
    });

    test('S10 a game whose removal was interrupted cannot be added, nor can others with it, until it is complete', async () => {
      const { addBallot, other, store } = await openWithNominees(open);
      const operator = await other();
      await store.commit([ballot('1', 'a')], undefined);
      await operator.removeGame('a');
      await addBallot(ballot('2', 'a'));
      const nominees = [buildNominee({ id: 'a' }), buildNominee({ id: 'c' })];
      await expect(operator.setNominees(nominees)).rejects.toThrow(
        /^a still has ballots, [^\n]*`goty nominees remove a`, then add it\.$/,
      );
      expect(await votosOf(store)).toEqual({ b: 0 });
      await operator.removeGame('a');
      await operator.setNominees(nominees);
      expect(await store.commit([ballot('1', 'a')], undefined)).toEqual(['counted']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0, c: 0 });
    });

    test('S13 S10 a repair removes the ballots of a missing game, unless that was added meanwhile', async () => {
      const { addBallot, store } = await openWithNominees(open);
      await addBallot(ballot('1', 'gone'));
      await store.removeGame('a');
      await store.setNominees([buildNominee({ id: 'a' })]);
      await store.commit([ballot('2', 'a')], undefined);
      await store.repair(['a', 'gone']);
      expect(await ballotsOf(store)).toEqual([ballot('2', 'a')]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('V10 S20 while the vote is frozen, ballots are stored without a sum, and the end of the freeze counts them', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const now = Date.now();
      await operator.freeze(now + 1_000);
      const cast = (id: string, game: string, at: number) => ({ id, game, at });
      const { frozenAt } = await store.state();
      const group = [cast('1', 'a', now), cast('2', 'a', now + 1_000), cast('3', 'b', now + 2_000)];
      const unknown = cast('4', 'unknown', now + 2_000);
      expect(await store.commit([...group, unknown], frozenAt)).toEqual([
        ...['counted', 'counted', 'counted'],
        'unknown-game',
      ]);
      expect(await store.commit(group, frozenAt)).toEqual(['replayed', 'replayed', 'replayed']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      expect(await operator.recount()).toMatchObject([
        { game: 'a', ballots: 2, held: 1 },
        { game: 'b', ballots: 1, held: 1 },
      ]);
      // What is in the sums is subtracted from them, and nothing else.
      await operator.removeBallots([cast('3', 'b', now)]);
      await operator.repair([]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      const before = await store.state();
      await Promise.all([store.reveal(), operator.reveal()]);
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
      await store.reveal();
      const after = await operator.state();
      expect([before.frozenAt, after.frozenAt]).toEqual([now + 1_000, undefined]);
    });

    test('S20 a store that does not know of the end of a freeze, or of its beginning, loses no ballot', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      await operator.freeze(undefined);
      // A later one changes nothing.
      await operator.freeze(Date.now() + 9_000);
      const { frozenAt = 0 } = await operator.state();
      const at = Date.now() + 1_000;
      expect(frozenAt).toBeLessThan(at);
      await store.commit([{ id: '1', game: 'a', at }], undefined);
      await operator.reveal();
      await store.commit([{ id: '2', game: 'a', at }], frozenAt);
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
    });

    test('S20 a freeze ends for a server only if the vote has closed, and one that is moved holds nothing back', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const start = Date.now() + 60_000;
      await operator.freeze(start);
      // By a clock that is ahead.
      await store.commit([{ id: '1', game: 'a', at: start }], start);
      await operator.freeze(start + 60_000);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      await operator.setTimes(() => ({ opensAt: undefined, closesAt: 7 }));
      for (const times of [{ closesAt: 8 }, { closesAt: undefined }]) {
        await operator.setTimes(() => ({ opensAt: undefined, ...times }));
        await store.reveal(7);
        expect((await store.state()).frozenAt).toBe(start + 60_000);
      }
      await operator.setTimes(() => ({ opensAt: undefined, closesAt: 7 }));
      await store.reveal(7);
      expect((await store.state()).frozenAt).toBeUndefined();
    });

    test('V11 S21 voided ballots stay stored and are in no sum, until that is taken back', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const group = [ballot('1', 'a'), ballot('2', 'a'), ballot('3', 'b')];
      await store.commit(group, undefined);
      const voided = [ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'b'), ballot('4', 'a')];
      expect(await operator.voidBallots(voided, true)).toBe(2);
      expect(await operator.voidBallots(voided, true)).toBe(0);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      expect(await ballotsOf(store)).toEqual([
        { ...ballot('1', 'a'), voided: true },
        ballot('2', 'a'),
        { ...ballot('3', 'b'), voided: true },
      ]);
      expect((await store.state()).voided).toBe(2);
      expect(await store.commit(group, undefined)).toEqual(['replayed', 'replayed', 'replayed']);
      await operator.repair([]);
      expect(await operator.recount()).toMatchObject([
        { votos: 1, ballots: 1, voided: 1 },
        { votos: 0, ballots: 0, voided: 1 },
      ]);
      await operator.voidBallots(voided, false);
      expect(await votosOf(store)).toEqual({ a: 2, b: 1 });
      expect((await store.state()).voided).toBe(0);
    });

    test('S21 a ballot that is voided may be imported, removed, and go with its game', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const taken = { ...ballot('1', 'a'), voided: true } as const;
      expect(await operator.commit([taken, ballot('2', 'a'), ballot('3', 'b')], undefined)).toEqual(
        ['counted', 'counted', 'counted'],
      );
      expect(await votosOf(store)).toEqual({ a: 1, b: 1 });
      await operator.voidBallots([ballot('3', 'b')], true);
      await operator.removeBallots([taken]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      expect((await store.state()).voided).toBe(1);
      await operator.removeGame('b');
      expect((await store.state()).voided).toBe(0);
    });

    test('S1 all ballots are read in the order of their ids', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600), undefined);
      await store.commit(group.slice(600), undefined);
      const ids = (await ballotsOf(store)).map(({ id }) => id);
      expect(ids).toEqual(group.map(({ id }) => id).toSorted());
    });

    test('S13 a recount while votes arrive finds no difference', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      let isVoting = true;
      const voters = ['x', 'y', 'z'].map(async (voter) => {
        for (let id = 0; isVoting; id += 1)
          await store.commit([ballot(`${voter}${id}`, 'a')], undefined);
      });
      for (let time = 0; time < 10; time += 1) {
        const found = await Promise.all([operator.recount(), operator.recount()]);
        for (const { votos, ballots } of found.flat()) expect(votos).toBe(ballots);
      }
      isVoting = false;
      await Promise.all(voters);
    });
  });
}
