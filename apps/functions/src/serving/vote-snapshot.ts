import { listRevisionOf, type Nominee, toNominee } from '@goty/shared/nominee';
import type { StoredGame } from '../votes/ballot.ts';
import type { StoreState } from '../votes/vote-store.ts';

/** What a process knows of the vote at one moment. A snapshot never changes: newer knowledge makes a new snapshot. */
export interface VoteSnapshot {
  readonly state: StoreState;
  /** The games are ordered by id. */
  readonly games: readonly StoredGame[];
  readonly nominees: readonly Nominee[];
  /** The nominees by their ids, because each vote looks up its nominee. */
  readonly byId: ReadonlyMap<string, Nominee>;
  /** The revision of the list of nominees, which is the same in every process. */
  readonly listRevision: string;
}

export function snapshotOf(state: StoreState, games: readonly StoredGame[]): VoteSnapshot {
  const nominees = games.map(toNominee);
  const byId = new Map(nominees.map((nominee) => [nominee.id, nominee]));
  return { state, games, nominees, byId, listRevision: listRevisionOf(nominees) };
}
