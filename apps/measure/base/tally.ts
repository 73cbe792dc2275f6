import type { OperatorStore } from '@goty/functions/vote-store';

/** The votes in a store. */
export interface Tally {
  /** The sums. */
  readonly counted: number;
  /** The ballots. */
  readonly stored: number;
}

export async function tally(store: OperatorStore): Promise<Tally> {
  const games = await store.recount();
  return {
    counted: games.reduce((sum, { votos }) => sum + (votos ?? 0), 0),
    stored: games.reduce((sum, { ballots }) => sum + ballots, 0),
  };
}

/** Rejects if there are not exactly the votes that were acknowledged. */
export async function checkTally(store: OperatorStore, acknowledged: number) {
  const { counted, stored } = await tally(store);
  if (counted === acknowledged && stored === acknowledged) return;
  throw new Error(`${acknowledged} acknowledged, ${counted} counted, ${stored} stored`);
}
