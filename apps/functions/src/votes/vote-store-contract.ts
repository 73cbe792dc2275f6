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
 * The contract of the store port as tests, as far as a server needs it. Every adapter's test calls it
 * once, and those of operator-store-contract.ts and store-model-contract.ts.
 *
 * @param open opens a new, empty store
 */
export function describeVoteStore(name: string, open: () => Promise<StoreUnderTest>) {
  describe(name, () => {
    test('V1 S2 a ballot is counted once, for its game alone, and one that is not counted fails no other', async () => {
      const { store } = await openWithNominees(open);
      expect(await store.commit([ballot('1', 'unknown')], undefined)).toEqual(['unknown-game']);
      await store.commit([ballot('1', 'a')], undefined);
      const group = [
        ballot('1', 'a'),
        ballot('1', 'b'),
        ballot('2', 'unknown'),
        ballot('3', 'b'),
        ballot('4', 'a'),
        ballot('4', 'a'),
        ballot('4', 'b'),
      ];
      const refused = { votedFor: 'a' };
      const first = ['replayed', refused, 'unknown-game', 'counted', 'counted'];
      expect(await store.commit(group, undefined)).toEqual([...first, 'replayed', refused]);
      const again = ['replayed', refused, 'unknown-game', 'replayed', 'replayed'];
      expect(await store.commit(group, undefined)).toEqual([...again, 'replayed', refused]);
      expect(await votosOf(store)).toEqual({ a: 2, b: 1 });
      expect(await store.total()).toBe(3);
      expect(await ballotsOf(store)).toEqual([
        ballot('1', 'a'),
        ballot('3', 'b'),
        ballot('4', 'a'),
      ]);
    });

    test('V1 groups committed concurrently are all counted', async () => {
      const { store } = await openWithNominees(open);
      const groups = Array.from({ length: 20 }, (_, group) =>
        Array.from({ length: 5 }, (_, index) => ballot(`${group}-${index}`, index % 2 ? 'a' : 'b')),
      );
      await Promise.all(groups.map((group) => store.commit(group, undefined)));
      expect(await votosOf(store)).toEqual({ a: 40, b: 60 });
      expect(await ballotsOf(store)).toHaveLength(100);
    });
  });
}

/** A new store with `NOMINEES`. */
export async function openWithNominees(open: () => Promise<StoreUnderTest>) {
  const opened = await open();
  await opened.store.setNominees(NOMINEES);
  return opened;
}

/** A ballot of a fixed time. */
export function ballot(id: string, game: string): Ballot {
  return { id, game, at: 1_700_000_000_000 };
}

/** The votes of each game, by id. */
export async function votosOf(store: VoteStore): Promise<Record<string, number>> {
  return Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));
}

/** All ballots, in the order of their ids. */
export async function ballotsOf(store: OperatorStore): Promise<Ballot[]> {
  const all: Ballot[] = [];
  for await (const ballot of store.ballots()) all.push(ballot);
  return all;
}
