import { deepEqual } from 'node:assert/strict';
import type { OperatorStore } from '@goty/functions/vote-store';

/** How many votes the sums of a store tell, and how many ballots it has. */
export async function tally(store: OperatorStore) {
  const games = await store.recount();
  return {
    counted: games.reduce((sum, { votos }) => sum + (votos ?? 0), 0),
    stored: games.reduce((sum, { ballots }) => sum + ballots, 0),
  };
}

/** Rejects if there are not exactly the votes that were acknowledged. */
export async function checkTally(store: OperatorStore, acknowledged: number) {
  deepEqual(await tally(store), { counted: acknowledged, stored: acknowledged });
}
