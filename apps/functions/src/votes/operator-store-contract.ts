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
      await store.commit([ballot('1', 'a')]);
      expect((await store.state()).revision).toBe(revisions.at(-1));
    });

    test('S19 of two changes of the times at once none is lost, and one that is refused changes nothing', async () => {
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

    test('S10 S18 a game whose removal was interrupted cannot be added, nor can others with it, until it is complete', async () => {
      const { addBallot, other, store } = await openWithNominees(open);
      const operator = await other();
      await store.commit([ballot('1', 'a')]);
      await operator.removeGame('a');
      await addBallot(ballot('2', 'a'));
      const nominees = [buildNominee({ id: 'a' }), buildNominee({ id: 'c' })];
      await expect(operator.setNominees(nominees)).rejects.toThrow(
        /^a still has ballots, [^\n]*`goty nominees remove a`, then add it\.$/,
      );
      expect(await votosOf(store)).toEqual({ b: 0 });
      await operator.removeGame('a');
      await operator.setNominees(nominees);
      expect(await store.commit([ballot('1', 'a')])).toEqual(['counted']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0, c: 0 });
    });

    test('S13 S18 a repair removes the ballots of a missing game, unless that was added meanwhile', async () => {
      const { addBallot, store } = await openWithNominees(open);
      await addBallot(ballot('1', 'gone'));
      await store.removeGame('a');
      await store.setNominees([buildNominee({ id: 'a' })]);
      await store.commit([ballot('2', 'a')]);
      await store.repair(['a', 'gone']);
      expect(await ballotsOf(store)).toEqual([ballot('2', 'a')]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S11 all ballots are read in the order of their ids', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600));
      await store.commit(group.slice(600));
      const ids = (await ballotsOf(store)).map(({ id }) => id);
      expect(ids).toEqual(group.map(({ id }) => id).toSorted());
    });

    test('S13 a recount while votes arrive finds no difference', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      let isVoting = true;
      const voters = ['x', 'y', 'z'].map(async (voter) => {
        for (let id = 0; isVoting; id += 1) await store.commit([ballot(`${voter}${id}`, 'a')]);
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
