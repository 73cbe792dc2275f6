import { wholeVotes } from '@goty/shared/game';
import {
  AggregateField,
  type DocumentData,
  FieldPath,
  type Firestore,
} from 'firebase-admin/firestore';
import { systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type {
  ActPart,
  Ballot,
  BallotFilter,
  StoredGame,
  StoreState,
  VoteStore,
} from '../votes/vote-store.ts';
import { change } from './change.ts';
import { createCommit } from './commit.ts';
import { type Documents, documentsOf, recountIn, stateIn, voidedBy, voidsIn } from './documents.ts';
import { createFences } from './fences.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';

/** Commands, and an instance that is the only one. */
const ALONE: OutboxOptions = { clock: systemClock, intervalMs: 0 };
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
  options: OutboxOptions = ALONE,
  recordChunkBytes?: number,
): VoteStore {
  const documents = documentsOf(firestore, recordChunkBytes);
  const { games, settings, record, transact } = documents;
  const fences = createFences(firestore, documents);
  const outbox = new Outbox(firestore, documents, options, log);
  const commitGroup = createCommit({ firestore, documents, fences, outbox, ...options });
  /** The newest state that was asked for, by which a commit goes. */
  let newest: StoreState | undefined;
  let readAt = 0;
  const readState = async () => {
    const at = performance.now();
    const document = await settings.get();
    // Reads may overlap, and end in another order. A newer version's state is none to go by.
    if (at >= readAt) [newest, readAt] = [undefined, at];
    const state = stateIn(document);
    if (at === readAt) newest = state;
    return state;
  };
  return {
    state: readState,
    async games() {
      outbox.look();
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async tally() {
      outbox.look();
      const result = await games.aggregate({ total: AggregateField.sum('votesGiven') }).get();
      return result.data().total;
    },
    async commit(group) {
      const { frozenAt } = (newest ?? (await readState())).times;
      return commitGroup(group, frozenAt);
    },
    settle: () => outbox.settle(),
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
    change: (decide) => change(documents, outbox, decide),
    async close() {
      await outbox.close();
      await fences.close();
      await firestore.terminate();
    },
  };
}

/** A malformed count is 0 for the visitor and a warning for the operator (SPEC W14). */
function toGame(
  id: string,
  { name = '', url = '', votos, votesGiven = 0 }: DocumentData,
  log: Log,
): StoredGame {
  const whole = wholeVotes(votos);
  if (whole === undefined) log.warn(`goty/${id}: votos is not a whole number: ${votos}`);
  return {
    id,
    name: String(name),
    url: String(url),
    votos: whole ?? 0,
    votesGiven: Number(votesGiven),
  };
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
