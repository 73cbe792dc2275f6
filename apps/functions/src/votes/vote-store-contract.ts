import { buildNominee } from '@goty/shared/testing/nominee';
import { describe, expect, test } from 'vitest';
import type { Ballot, OperatorStore, VoteStore } from './vote-store.ts';

/** An empty store, with what the contract cannot do through the port. */
export interface StoreUnderTest {
  readonly store: OperatorStore;
  /** The same store as an operator's command opens it beside this one. */
  other(): Promise<OperatorStore>;
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
      await Promise.all([store.reveal(), operator.reveal()]);
      await store.commit([{ id: '2', game: 'a', at }], frozenAt);
      expect(await votosOf(store)).toEqual({ a: 2, b: 0 });
    });

    test('S1 all ballots, or those of a game, are read in the order of their ids', async () => {
      const { store } = await openWithNominees(open);
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600), undefined);
      await store.commit([...group.slice(600), ballot('other', 'b')], undefined);
      const idsOf = async (game?: string) => (await ballotsOf(store, game)).map(({ id }) => id);
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
          await store.commit([ballot(`${voter}${id}`, 'a')], undefined);
          sent += 1;
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
  await opened.store.setNominees(NOMINEES);
  return opened;
}

export function ballot(id: string, game: string): Ballot {
  return { id, game, at: 1_700_000_000_000 };
}

async function votosOf(store: VoteStore): Promise<Record<string, number>> {
  return Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));
}

export async function ballotsOf(store: OperatorStore, game?: string): Promise<Ballot[]> {
  const all: Ballot[] = [];
  for await (const ballot of store.ballots(game)) all.push(ballot);
  return all;
}
