import type { Game } from '@goty/shared/game';
import { wholeVotes } from '@goty/shared/parse';
import { type DocumentData, FieldValue, type Firestore } from 'firebase-admin/firestore';
import type { Log } from '../runtime/log.ts';
import type { Ballot, BallotOutcome, VoteStore } from '../votes/vote-store.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

export interface FirestoreStoreOptions {
  readonly firestore: Firestore;
  readonly log: Log;
}

/** The votes in Cloud Firestore: collection `goty` with the sums, collection `ballots` behind it. */
export function createFirestoreStore({ firestore, log }: FirestoreStoreOptions): VoteStore {
  const games = firestore.collection('goty');
  const ballots = firestore.collection('ballots');

  return {
    async games() {
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async commit(group) {
      const outcomes = new Map<Ballot, BallotOutcome>();
      let open = group;
      while (open.length > 0) {
        const first = firstOfEachId(open);
        const again = await commitOnce(first, outcomes);
        open = open.filter((ballot) => again.includes(ballot) || !first.includes(ballot));
      }
      return group.map((ballot) => outcomes.get(ballot) ?? 'refused');
    },
    async addNominees(nominees) {
      const known = new Set((await games.select().get()).docs.map(({ id }) => id));
      const batch = firestore.batch();
      for (const { id, name, url } of nominees) {
        if (!known.has(id)) batch.create(games.doc(id), { name, url, votos: 0 });
      }
      await batch.commit();
    },
    async close() {
      await firestore.terminate();
    },
  };

  /**
   * Writes all ballots and sums, or nothing. `create` makes the whole write fail where one of the
   * ballots is there: a write that is repeated, by us or by the SDK, counts nothing twice.
   *
   * @returns the ballots to write again, without those that made the write fail
   */
  async function commitOnce(
    open: readonly Ballot[],
    outcomes: Map<Ballot, BallotOutcome>,
  ): Promise<Ballot[]> {
    const batch = firestore.batch();
    for (const { id, game, at } of open) batch.create(ballots.doc(id), { game, at });
    for (const [game, votes] of countByGame(open)) {
      batch.update(games.doc(game), { votos: FieldValue.increment(votes) });
    }
    try {
      await batch.commit();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === ALREADY_EXISTS) await settleKnownBallots(open, outcomes);
      if (code === NOT_FOUND) await settleUnknownGames(open, outcomes);
      const again = open.filter((ballot) => !outcomes.has(ballot));
      // What failed for no ballot's sake would fail for ever.
      if (again.length === open.length) throw error;
      return again;
    }
    for (const ballot of open) outcomes.set(ballot, 'counted');
    return [];
  }

  /** Reads which ballots are there already: of an earlier write, or of this one whose reply was lost. */
  async function settleKnownBallots(
    open: readonly Ballot[],
    outcomes: Map<Ballot, BallotOutcome>,
  ): Promise<void> {
    const stored = await firestore.getAll(...open.map(({ id }) => ballots.doc(id)));
    for (const [index, ballot] of open.entries()) {
      const game: unknown = stored[index]?.get('game');
      if (game !== undefined) outcomes.set(ballot, game === ballot.game ? 'replayed' : 'refused');
    }
  }

  async function settleUnknownGames(
    open: readonly Ballot[],
    outcomes: Map<Ballot, BallotOutcome>,
  ): Promise<void> {
    const named = [...countByGame(open).keys()];
    const stored = await firestore.getAll(...named.map((id) => games.doc(id)));
    const known = new Set(stored.filter(({ exists }) => exists).map(({ id }) => id));
    for (const ballot of open) {
      if (!known.has(ballot.game)) outcomes.set(ballot, 'unknown-game');
    }
  }
}

/** A write can create a ballot once: what comes again in the same group is for the next write. */
function firstOfEachId(group: readonly Ballot[]): Ballot[] {
  return [
    ...new Map(group.toReversed().map((ballot) => [ballot.id, ballot])).values(),
  ].toReversed();
}

function countByGame(group: readonly Ballot[]): Map<string, number> {
  const votes = new Map<string, number>();
  for (const { game } of group) votes.set(game, (votes.get(game) ?? 0) + 1);
  return votes;
}

/** A count that is none is 0 for the visitor, and a line in the log for the operator (SPEC W14). */
function toGame(id: string, data: DocumentData, log: Log): Game {
  const votos = wholeVotes(data.votos);
  if (votos === undefined) log.warn(`goty/${id} has no whole number of votes: ${data.votos}`);
  return { id, name: String(data.name), url: String(data.url), votos: votos ?? 0 };
}
