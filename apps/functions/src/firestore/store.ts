import type { Game } from '@goty/shared/game';
import { toNominee } from '@goty/shared/nominee';
import { wholeVotes } from '@goty/shared/parse';
import { AggregateField, type DocumentData, type Firestore } from 'firebase-admin/firestore';
import type { Log } from '../runtime/log.ts';
import {
  type Ballot,
  type BallotOutcome,
  mayReveal,
  type OperatorStore,
} from '../votes/vote-store.ts';
import { documentsOf, stateIn } from './documents.ts';
import { createFirestoreOperations } from './operations.ts';
import { setSums } from './recount.ts';
import { transact } from './transaction.ts';
import { ALREADY_EXISTS, gamesOf, NOT_FOUND, writeBallots } from './write.ts';

/** How often to write a group again that failed because of a document, but would not fail any more. */
const MAX_TRIES = 3;

type Outcomes = Map<Ballot, BallotOutcome>;

export interface FirestoreStoreOptions {
  readonly firestore: Firestore;
  readonly log: Log;
}

/** The store in Cloud Firestore: one document for each game, with its sum, and for each ballot. */
export function createFirestoreStore({ firestore, log }: FirestoreStoreOptions): OperatorStore {
  const documents = documentsOf(firestore);
  const { games, ballots, settings } = documents;
  return {
    ...createFirestoreOperations(firestore, documents),
    async state() {
      return stateIn(await settings.get());
    },
    async games() {
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async total() {
      const result = await games.aggregate({ total: AggregateField.sum('votos') }).get();
      return result.data().total;
    },
    async commit(group, frozenAt) {
      const outcomes: Outcomes = new Map();
      let open = group;
      let tries = MAX_TRIES;
      while (open.length > 0) {
        // A batch can create a document only once. Duplicates get their outcome from the first.
        const firsts = firstOfEachId(open);
        const settled = outcomes.size;
        try {
          await writeBallots(firestore, documents, firsts, frozenAt);
          settleStored(open, new Map(firsts.map(({ id, game }) => [id, game])), outcomes);
          for (const ballot of firsts) outcomes.set(ballot, 'counted');
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : undefined;
          if (code === ALREADY_EXISTS) settleStored(open, await readStored(firsts), outcomes);
          else if (code === NOT_FOUND) await settleUnknownGames(open, outcomes);
          else throw error;
          tries -= 1;
          // No ballot made the write fail, or the document that did was added or removed since.
          if (outcomes.size === settled && tries <= 0) {
            // Firestore's message names a ballot's id, which the log must not contain (SPEC B15).
            throw new Error(`a document of the group failed it with code ${code}`);
          }
        }
        open = group.filter((ballot) => !outcomes.has(ballot));
      }
      return group.map((ballot) => outcomeOf(ballot, outcomes));
    },
    async reveal(now) {
      await transact(firestore, async (transaction) => {
        if (!mayReveal(stateIn(await transaction.get(settings)), now)) return;
        await setSums(transaction, documents, { frozenAt: undefined });
      });
    },
    close: () => firestore.terminate(),
  };

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
    const stored = await firestore.getAll(...gamesOf(open, documents));
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

function outcomeOf(ballot: Ballot, outcomes: Outcomes): BallotOutcome {
  const outcome = outcomes.get(ballot);
  if (outcome === undefined) throw new Error('a ballot has no outcome');
  return outcome;
}

function firstOfEachId(group: readonly Ballot[]): Ballot[] {
  const ids = new Set<string>();
  return group.filter(({ id }) => ids.size < ids.add(id).size);
}

/** A malformed count is 0 for the visitor and a warning for the operator (SPEC W14). */
function toGame(id: string, data: DocumentData, log: Log): Game {
  const votos = wholeVotes(data.votos);
  if (votos === undefined) log.warn(`goty/${id}: votos is not a whole number: ${data.votos}`);
  return { ...toNominee(id, (field) => String(data[field] ?? '')), votos: votos ?? 0 };
}
