import { type Game, wholeVotes } from '@goty/shared/game';
import {
  AggregateField,
  type DocumentData,
  FieldPath,
  FieldValue,
  type Firestore,
} from 'firebase-admin/firestore';
import type { Log } from '../runtime/log.ts';
import type { ActPart, Ballot, BallotFilter, StoreState, VoteStore } from '../votes/vote-store.ts';
import { change } from './change.ts';
import {
  type Documents,
  documentsOf,
  gameRefsOf,
  recountIn,
  stateIn,
  voidedBy,
  voidIncrements,
  voidsIn,
  type Writes,
} from './documents.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** How often to write a group again that failed because of a document, but would not fail any more. */
const MAX_GROUP_TRIES = 3;
/** How many ballots are read at once. The emulator reads each page as if from the start. */
const BALLOTS_PER_QUERY = 10_000;

/**
 * The store in Cloud Firestore: one document for each game, with its sum, and for each ballot.
 *
 * @param recordChunkBytes how much of the record one document holds
 */
export function createFirestoreStore(
  firestore: Firestore,
  log: Log,
  recordChunkBytes?: number,
): VoteStore {
  const documents = documentsOf(firestore, recordChunkBytes);
  const { games, ballots, settings, record, transact } = documents;
  /** The newest state that was asked for, by which a commit goes. */
  let newest: StoreState | undefined;
  let readAt = 0;
  const readState = async () => {
    const at = performance.now();
    const state = stateIn(await settings.get());
    // Reads may overlap, and end in another order.
    if (at >= readAt) [newest, readAt] = [state, at];
    return state;
  };
  return {
    state: readState,
    async games() {
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async total() {
      const result = await games.aggregate({ total: AggregateField.sum('votos') }).get();
      return result.data().total;
    },
    async commit(group) {
      const { frozenAt } = (newest ?? (await readState())).times;
      /** For each id that is stored, the game that it was counted for. */
      const stored = new Map<string, string>();
      const unknownGames = new Set<string>();
      let counted = new Set<Ballot>();
      for (let tries = 1; ; tries += 1) {
        const open = group.filter(({ id, game }) => !stored.has(id) && !unknownGames.has(game));
        if (open.length === 0) break;
        // A batch can create a document only once. Duplicates get their outcome from the first.
        const distinctBallots = new Map(open.toReversed().map((ballot) => [ballot.id, ballot]));
        const known = stored.size + unknownGames.size;
        try {
          await writeBallots(firestore, documents, [...distinctBallots.values()], frozenAt);
          counted = new Set(distinctBallots.values());
          for (const { id, game } of counted) stored.set(id, game);
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : undefined;
          if (code === ALREADY_EXISTS) {
            // Perhaps by a write whose reply was lost.
            const found = await firestore.getAll(
              ...distinctBallots.keys().map((id) => ballots.doc(id)),
            );
            for (const ballot of found.filter(({ exists }) => exists)) {
              stored.set(ballot.id, String(ballot.get('game')));
            }
          } else if (code === NOT_FOUND) {
            const found = await firestore.getAll(...gameRefsOf(open, documents));
            for (const { id, exists } of found) if (!exists) unknownGames.add(id);
          } else throw error;
          // None of these documents explains the failure: the one that caused it was added or removed since. Try again.
          if (stored.size + unknownGames.size === known && tries >= MAX_GROUP_TRIES) {
            // Firestore's message names a ballot's id, which the log must not contain (SPEC B15).
            throw new Error(`a document of the group failed it with code ${code}`);
          }
        }
      }
      return group.map((ballot) => {
        const votedFor = stored.get(ballot.id);
        if (votedFor === undefined || unknownGames.has(ballot.game)) return 'unknown-game';
        if (counted.has(ballot)) return 'counted';
        return votedFor === ballot.game ? 'replayed' : { votedFor };
      });
    },
    ballots: (only) => readBallots(documents, only),
    async recount() {
      // Sums and ballots are read as of one moment. Otherwise votes that arrive meanwhile would look like
      // differences. The moment is given explicitly, because without it the emulator's first read may be
      // older than those that follow.
      const { readTime } = await settings.get();
      const options = { readOnly: true, readTime } as const;
      return transact((transaction) => recountIn(transaction, documents), options);
    },
    async record() {
      const texts: string[] = (await record.get()).docs.flatMap((chunk) => chunk.get('acts'));
      return texts.map((text): ActPart => JSON.parse(text));
    },
    async voids() {
      const voids = [...voidsIn(await settings.get())];
      const found = await Promise.all(voids.map(([act, votes]) => readSpan(documents, act, votes)));
      return found.filter((each) => each !== undefined);
    },
    change: (decide) => change(documents, decide),
    close: () => firestore.terminate(),
  };
}

/** A malformed count is 0 for the visitor and a warning for the operator (SPEC W14). */
function toGame(id: string, { name = '', url = '', votos }: DocumentData, log: Log): Game {
  const whole = wholeVotes(votos);
  if (whole === undefined) log.warn(`goty/${id}: votos is not a whole number: ${votos}`);
  return { id, name: String(name), url: String(url), votos: whole ?? 0 };
}

/** When the first and the last of the ballots were cast that an act has voided, unless they are counted again by now. */
async function readSpan({ ballots }: Documents, act: string, votes: number) {
  const byAct = ballots.where('act', '==', act).select('at').limit(1);
  const [first, last] = await Promise.all([
    byAct.orderBy('at').get(),
    byAct.orderBy('at', 'desc').get(),
  ]);
  const [from, to] = [first, last].map(({ docs }) => docs[0]?.get('at'));
  return from === undefined ? undefined : { act, votes, from: Number(from), to: Number(to) + 1 };
}

async function* readBallots(
  { ballots, ballotsOf }: Documents,
  { game, voided }: BallotFilter = {},
): AsyncGenerator<Ballot> {
  const all = game === undefined ? ballots : ballotsOf(game);
  const query = (voided === undefined ? all : all.where('act', '==', voided))
    .orderBy(FieldPath.documentId())
    .limit(BALLOTS_PER_QUERY);
  let { docs } = await query.get();
  while (docs.length > 0) {
    for (const document of docs) {
      const act = voidedBy(document);
      yield {
        id: document.id,
        game: String(document.get('game')),
        at: Number(document.get('at')),
        ...(act !== undefined && { voided: act }),
      };
    }
    ({ docs } = await query.startAfter(docs.at(-1)).get());
  }
}

/**
 * Writes all ballots and sums, or nothing. `create` fails the whole write if one of the ballots exists
 * already, so a retry, ours or the SDK's, counts nothing twice.
 *
 * @param distinctBallots ballots with different ids
 * @param frozenAt as far as the caller knows
 */
async function writeBallots(
  firestore: Firestore,
  documents: Documents,
  distinctBallots: readonly Ballot[],
  frozenAt: number | undefined,
): Promise<void> {
  if (frozenAt === undefined || distinctBallots.every(({ at }) => at < frozenAt)) {
    // Right even if the vote has been frozen meanwhile, because the end of a freeze counts every ballot.
    const batch = firestore.batch();
    addBallots(batch, documents, distinctBallots);
    await batch.commit();
    return;
  }
  // Nobody would count a ballot that is hidden after the freeze has ended, so that must be known.
  await documents.transact(async (transaction) => {
    const named = gameRefsOf(distinctBallots, documents);
    const [settings, ...games] = await transaction.getAll(documents.settings, ...named);
    // With the code of Firestore's own error when a batch updates a game that does not exist.
    if (games.some(({ exists }) => !exists)) throw Object.assign(new Error(), { code: NOT_FOUND });
    addBallots(
      transaction,
      documents,
      distinctBallots,
      settings && stateIn(settings).times.frozenAt,
    );
  });
}

/** @param hiddenSince from when on ballots are in no sum; given only if the games are known to exist */
function addBallots(
  writes: Writes,
  { ballots, games, changeSettings }: Documents,
  distinctBallots: readonly Ballot[],
  hiddenSince?: number,
) {
  const isHidden = ({ at }: Ballot) => hiddenSince !== undefined && at >= hiddenSince;
  for (const ballot of distinctBallots) {
    const { id, voided, ...fields } = ballot;
    writes.create(ballots.doc(id), {
      ...fields,
      ...(voided !== undefined && { voided: true, act: voided }),
      ...(isHidden(ballot) && { freeze: hiddenSince }),
    });
  }
  for (const [game, group] of Map.groupBy(distinctBallots, (ballot) => ballot.game)) {
    const votes = group.filter((ballot) => ballot.voided === undefined && !isHidden(ballot)).length;
    // In a batch, add even 0: the update fails if there is no such game, which is how that is noticed.
    if (votes === 0 && hiddenSince !== undefined) continue;
    writes.update(games.doc(game), { votos: FieldValue.increment(votes) });
  }
  const fields = voidIncrements(
    distinctBallots.map(({ voided }) => voided),
    1,
  );
  if (fields.voids) changeSettings(writes, fields);
}
