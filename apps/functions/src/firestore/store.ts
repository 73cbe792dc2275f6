import { wholeVotes } from '@goty/shared/game';
import {
  AggregateField,
  type DocumentData,
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
} from 'firebase-admin/firestore';
import { systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Ballot, StoredGame } from '../votes/ballot.ts';
import type { ActPart, BallotFilter, VoidedVotes, VoteStore } from '../votes/vote-store.ts';
import { change } from './change.ts';
import { createCommit } from './commit.ts';
import { ballotIn, type Documents, documentsOf, stateIn, votesIn } from './documents.ts';
import { createFences } from './fences.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import { recountIn } from './recount.ts';
import { readMigratedSettings } from './schema.ts';

const ALONE: OutboxOptions = { clock: systemClock, intervalMs: 0 };
/** The number is large, because for each page the emulator reads again all ballots that come before that page. */
const BALLOTS_PER_QUERY = 10_000;

/** Each game has a document, with its sum, and so has each ballot. The record has a document for each `recordChunkBytes`. */
export function createFirestoreStore(
  firestore: Firestore,
  log: Log,
  options: OutboxOptions = ALONE,
  recordChunkBytes?: number,
): VoteStore {
  const documents = documentsOf(firestore, recordChunkBytes);
  const { games, record, transact } = documents;
  const fences = createFences(documents);
  const outbox = new Outbox(firestore, documents, options, log);
  const commitGroup = createCommit({ firestore, documents, fences, outbox, ...options });
  /** The newest settings that were read. Commits go by these, so that no commit has to read them. */
  let newest: DocumentSnapshot | undefined;
  const readNewest = async (): Promise<DocumentSnapshot> => {
    const found = await readMigratedSettings(documents);
    // Reads may overlap, and an earlier one may end last, so the later settings are kept.
    if (!newest || found.readTime > newest.readTime) newest = found;
    return found;
  };
  return {
    state: async () => stateIn(await readNewest()),
    async games() {
      outbox.look();
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async tally() {
      outbox.look();
      const result = await games.aggregate({ total: AggregateField.sum('writes') }).get();
      return result.data().total;
    },
    async hidden() {
      const found = newest ?? (await readNewest());
      const { frozenAt } = stateIn(found).times;
      if (frozenAt === undefined) return { frozenAt, votes: new Map() };
      // Fences and settings are of the same moment, because a deleted fence leaves the votes that it has hidden to the settings.
      const options = { readOnly: true, readTime: found.readTime } as const;
      const { docs } = await transact((each) => each.get(documents.fences), options);
      return { frozenAt, votes: votesIn([found, ...docs], 'hidden') };
    },
    async commit(group) {
      return commitGroup(group, stateIn(newest ?? (await readNewest())));
    },
    settle: () => outbox.settle(),
    ballots: (only) => readBallots(documents, only),
    async recount() {
      // Without a common moment, votes that arrive meanwhile would look like differences. The moment is given explicitly, because
      // otherwise the emulator's first read may be older than those that follow.
      const { readTime } = await readMigratedSettings(documents);
      const options = { readOnly: true, readTime } as const;
      return transact((transaction) => recountIn(transaction, documents), options);
    },
    async record() {
      const texts: string[] = (await record.get()).docs.flatMap((chunk) => chunk.get('acts'));
      return texts.map((text): ActPart => JSON.parse(text));
    },
    voids: () => readVoids(documents),
    change: (decide) => change(documents, outbox, decide),
    async close() {
      await outbox.close();
      await fences.close();
      await firestore.terminate();
    },
  };
}

/** Returns the game of a document. A malformed count is 0 for the visitor and a warning for the operator (SPEC W14). */
function toGame(
  id: string,
  { name = '', url = '', votos, writes = 0 }: DocumentData,
  log: Log,
): StoredGame {
  const whole = wholeVotes(votos);
  if (whole === undefined) log.warn(`goty/${id}: votos is not a whole number: ${votos}`);
  return {
    id,
    name: String(name),
    url: String(url),
    votos: whole ?? 0,
    writes: Number(writes),
  };
}

/** Reads only the first and the last ballot of each act that voids ballots, and lets Firestore count that act's ballots. */
async function readVoids({ ballots }: Documents): Promise<VoidedVotes[]> {
  const voids: VoidedVotes[] = [];
  const byAct = ballots.orderBy('act').orderBy('at').select('act', 'at').limit(1);
  let [first] = (await byAct.get()).docs;
  while (first) {
    const act: unknown = first.get('act');
    const own = ballots.where('act', '==', act);
    const [last, count] = await Promise.all([
      own.orderBy('at', 'desc').select('at').limit(1).get(),
      own.count().get(),
    ]);
    const from = Number(first.get('at'));
    const votes = count.data().count;
    const to = Number(last.docs[0]?.get('at') ?? from) + 1;
    // If the count is 0, all of the act's votes were counted again meanwhile.
    if (votes > 0) voids.push({ act: String(act), votes, from, to });
    [first] = (await byAct.startAfter(act).get()).docs;
  }
  return voids;
}

async function* readBallots(
  { ballots, ballotsOf }: Documents,
  { game, id, voided }: BallotFilter = {},
): AsyncGenerator<Ballot> {
  const all = game === undefined ? ballots : ballotsOf(game);
  const voidedBy = voided === undefined ? all : all.where('act', '==', voided);
  const query = (id === undefined ? voidedBy : voidedBy.where(FieldPath.documentId(), '==', id))
    .orderBy(FieldPath.documentId())
    .limit(BALLOTS_PER_QUERY);
  let { docs } = await query.get();
  while (docs.length > 0) {
    yield* docs.map(ballotIn);
    ({ docs } = await query.startAfter(docs.at(-1)).get());
  }
}
