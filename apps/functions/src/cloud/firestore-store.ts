import type { Game } from '@goty/shared/game';
import { toNominee } from '@goty/shared/nominee';
import { wholeVotes } from '@goty/shared/parse';
import {
  AggregateField,
  type DocumentData,
  FieldValue,
  type Firestore,
} from 'firebase-admin/firestore';
import type { Log } from '../runtime/log.ts';
import type { Ballot, BallotOutcome, OperatorStore } from '../votes/vote-store.ts';
import { documentsOf, timesIn } from './firestore-documents.ts';
import { createFirestoreOperator } from './firestore-operator.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** How often to write a group again that failed because of a document, but would not fail any more. */
const MAX_TRIES = 3;

type Outcomes = Map<Ballot, BallotOutcome>;

export interface FirestoreStoreOptions {
  readonly firestore: Firestore;
  readonly log: Log;
}

/** The store in Cloud Firestore: one document for each game, with its sum, and for each ballot. */
export function createFirestoreStore({ firestore, log }: FirestoreStoreOptions): OperatorStore {
  const { games, ballots, settings } = documentsOf(firestore);

  return {
    ...createFirestoreOperator(firestore),
    async state() {
      const document = await settings.get();
      return { revision: Number(document.get('revision') ?? 0), times: timesIn(document) };
    },
    async games() {
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async total() {
      const result = await games.aggregate({ total: AggregateField.sum('votos') }).get();
      return result.data().total;
    },
    async commit(group) {
      const outcomes: Outcomes = new Map();
      let open = group;
      let tries = MAX_TRIES;
      while (open.length > 0) {
        // A batch can create a document only once. Duplicates get their outcome from the first.
        const firsts = firstOfEachId(open);
        const settled = outcomes.size;
        try {
          await write(firsts);
          settleStored(open, new Map(firsts.map(({ id, game }) => [id, game])), outcomes);
          for (const ballot of firsts) outcomes.set(ballot, 'counted');
        } catch (error) {
          switch (codeOf(error)) {
            case ALREADY_EXISTS:
              settleStored(open, await readStored(firsts), outcomes);
              break;
            case NOT_FOUND:
              await settleUnknownGames(open, outcomes);
              break;
          }
          // No ballot made the write fail, or the document that did was added or removed since.
          const mayWork = isOfDocument(error) && --tries > 0;
          if (outcomes.size === settled && !mayWork) throw withoutIds(error);
        }
        open = group.filter((ballot) => !outcomes.has(ballot));
      }
      return group.map((ballot) => outcomeOf(ballot, outcomes));
    },
    async close() {
      await firestore.terminate();
    },
  };

  /**
   * Writes all ballots and sums, or nothing. `create` fails the whole batch if one of the ballots
   * exists already, so a retry, ours or the SDK's, counts nothing twice.
   */
  async function write(firsts: readonly Ballot[]): Promise<void> {
    const batch = firestore.batch();
    for (const { id, game, at } of firsts) batch.create(ballots.doc(id), { game, at });
    for (const [game, votes] of countByGame(firsts)) {
      batch.update(games.doc(game), { votos: FieldValue.increment(votes) });
    }
    await batch.commit();
  }

  /** The game of each ballot that is stored already, perhaps by a write whose reply was lost. */
  async function readStored(firsts: readonly Ballot[]): Promise<Map<string, string>> {
    const stored = await firestore.getAll(...firsts.map(({ id }) => ballots.doc(id)));
    return new Map(
      stored
        .filter(({ exists }) => exists)
        .map((ballot) => [ballot.id, String(ballot.get('game'))]),
    );
  }

  async function settleUnknownGames(open: readonly Ballot[], outcomes: Outcomes): Promise<void> {
    const named = [...countByGame(open).keys()];
    const stored = await firestore.getAll(...named.map((id) => games.doc(id)));
    const missing = new Set(stored.filter(({ exists }) => !exists).map(({ id }) => id));
    for (const ballot of open) if (missing.has(ballot.game)) outcomes.set(ballot, 'unknown-game');
  }
}

/**
 * Adds the outcome of every ballot whose id is stored already.
 *
 * @param games for each stored id, the game that it was counted for
 */
function settleStored(
  open: readonly Ballot[],
  games: ReadonlyMap<string, string>,
  outcomes: Outcomes,
) {
  for (const ballot of open) {
    const votedFor = games.get(ballot.id);
    if (votedFor === undefined) continue;
    outcomes.set(ballot, votedFor === ballot.game ? 'replayed' : { votedFor });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Removes the ids of ballots, which Firestore's messages name and the log must not contain (SPEC B15). */
function withoutIds(error: unknown): unknown {
  if (!isOfDocument(error)) return error;
  return new Error(`a document of the group failed it with code ${codeOf(error)}`);
}

function isOfDocument(error: unknown): boolean {
  const code = codeOf(error);
  return code === ALREADY_EXISTS || code === NOT_FOUND;
}

function outcomeOf(ballot: Ballot, outcomes: Outcomes): BallotOutcome {
  const outcome = outcomes.get(ballot);
  if (outcome === undefined) throw new Error('a ballot has no outcome');
  return outcome;
}

function firstOfEachId(group: readonly Ballot[]): Ballot[] {
  const firsts = new Map<string, Ballot>();
  for (const ballot of group) if (!firsts.has(ballot.id)) firsts.set(ballot.id, ballot);
  return [...firsts.values()];
}

function countByGame(group: readonly Ballot[]): Map<string, number> {
  const votes = new Map<string, number>();
  for (const { game } of group) votes.set(game, (votes.get(game) ?? 0) + 1);
  return votes;
}

/** A malformed count is 0 for the visitor and a warning for the operator (SPEC W14). */
function toGame(id: string, data: DocumentData, log: Log): Game {
  const votos = wholeVotes(data.votos);
  if (votos === undefined) log.warn(`goty/${id}: votos is not a whole number: ${data.votos}`);
  return { ...toNominee(id, (field) => String(data[field] ?? '')), votos: votos ?? 0 };
}
