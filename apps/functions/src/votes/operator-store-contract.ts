import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
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
    test('S9 S14 the revision is another after another process has changed nominees or times', async () => {
      const { store, other } = await openWithNominees(open);
      const operator = await other();
      const revisions = [(await store.state()).revision];
      await operator.setNominees([buildNominee({ id: 'c' })]);
      revisions.push((await store.state()).revision);
      await operator.removeGame('c');
      revisions.push((await store.state()).revision);
      await operator.setTimes({ opensAt: 5, closesAt: undefined });
      revisions.push((await store.state()).revision);
      expect(new Set(revisions).size).toBe(4);
      await store.commit([ballot('1', 'a')]);
      expect((await store.state()).revision).toBe(revisions.at(-1));
    });

    test('S10 a game is removed with its ballots, also in two steps, and its voters can vote again', async () => {
      const { addBallot, store } = await openWithNominees(open);
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')]);
      await store.removeGame('a');
      // As if that had been interrupted.
      await addBallot(ballot('4', 'a'));
      await store.removeGame('a');
      expect(await store.games()).toEqual([buildGame({ id: 'b', votos: 1 })]);
      expect(await ballotsOf(store)).toEqual([ballot('2', 'b')]);
      const again = [ballot('1', 'b'), ballot('3', 'a')];
      expect(await store.commit(again)).toEqual(['counted', 'unknown-game']);
    });

    test('S11 all ballots are read in the order of their ids', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600));
      await store.commit(group.slice(600));
      const ids = (await ballotsOf(store)).map(({ id }) => id);
      expect(ids).toEqual(group.map(({ id }) => id).toSorted());
    });

    test('S12 ballots are removed and taken from the sums, unless gone or for another game', async () => {
      const { store } = await openWithNominees(open);
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a'), ballot('4', 'b')]);
      await store.removeBallots([ballot('1', 'a'), ballot('4', 'b')]);
      await store.removeBallots([ballot('1', 'a'), ballot('2', 'a'), ballot('3', 'a')]);
      await store.removeBallots([]);
      expect(await votosOf(store)).toEqual({ a: 0, b: 1 });
      expect(await ballotsOf(store)).toEqual([ballot('2', 'b')]);
    });

    test('S13 sums are recounted and repaired, and orphans are named', async () => {
      const { store, addBallot, setVotos } = await openWithNominees(open);
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')]);
      const clean = [
        { game: 'a', exists: true, votos: 2, ballots: 2 },
        { game: 'b', exists: true, votos: 1, ballots: 1 },
      ];
      expect(await store.recount()).toEqual(clean);
      const orphans = { game: 'away', exists: false, votos: undefined, ballots: 1 };
      await setVotos('a', 999);
      await addBallot(ballot('4', 'away'));
      const [, b] = clean;
      const wrong = { game: 'a', exists: true, votos: 999, ballots: 2 };
      expect(await store.recount()).toEqual([wrong, orphans, b]);
      await store.repair();
      expect(await store.recount()).toEqual([clean[0], orphans, b]);
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
