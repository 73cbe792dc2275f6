import type { VoteStore } from '@goty/functions/vote-store';
import type { Game } from '@goty/shared/game';

const idOf = (index: number) => `juego-nominado-${index}`;
export const FIRST_GAME = idOf(0);

/** A Firestore in memory that counts what Google would bill. Each vote stands for one for every game. */
export function createFirestoreOfMemory(games: number) {
  let sums: readonly Game[] = Array.from({ length: games }, (_, index) => ({
    id: idOf(index),
    name: `Juego nominado ${index}: edición final`,
    url: '',
    votos: 100_000,
  }));
  const listeners = new Set<(games: readonly Game[]) => void>();
  const used = { reads: 0 };
  /** The store as an instance sees it. */
  const store: VoteStore = {
    async games() {
      used.reads += games;
      return sums;
    },
    async total() {
      used.reads += 1;
      return total();
    },
    async state() {
      used.reads += 1;
      const times = { opensAt: undefined, closesAt: undefined };
      return { revision: 1, times, frozenAt: undefined, voided: 0 };
    },
    async reveal() {},
    async commit(ballots) {
      sums = sums.map((game) => ({ ...game, votos: game.votos + ballots.length }));
      used.reads += listeners.size * games;
      for (const listener of listeners) listener(sums);
      return ballots.map(() => 'counted');
    },
    async close() {},
  };
  return { store, used, total, listen };

  function total() {
    return sums.reduce((sum, { votos }) => sum + votos, 0);
  }

  function listen(listener: (games: readonly Game[]) => void) {
    used.reads += games;
    listeners.add(listener);
    listener(sums);
    return () => void listeners.delete(listener);
  }
}
