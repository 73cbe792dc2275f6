import { wholeVotes } from '@goty/shared/game';
import {
  AggregateField,
  type DocumentData,
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type Firestore,
} from 'firebase-admin/firestore';
import { systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type {
  ActPart,
  Ballot,
  BallotFilter,
  BallotOutcome,
  CastBallot,
  StoredGame,
  StoreState,
  VoteStore,
} from '../votes/vote-store.ts';
import { change } from './change.ts';
import {
  type Documents,
  documentsOf,
  NOT_FOUND,
  recountIn,
  stateIn,
  voidedBy,
  voidIncrements,
  voidsIn,
} from './documents.ts';
import { createFences, type Fenced } from './fences.ts';
import { moveBallots } from './moves.ts';
import { addToSums, Outbox, type OutboxOptions } from './outbox.ts';

const ALREADY_EXISTS = 6;
/** How often to write a group again that failed because of a document, but would not fail any more. */
const MAX_FRUITLESS_TRIES = 3;
/** How many ballots that are stored already are read one by one, as Firestore names them. Then the whole group is read. */
const MAX_NAMED_READS = 5;
/** A vote that comes alone after so many quiet intervals adds to its sum itself: then nobody has to do so later. */
const QUIET_INTERVALS = 2;
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
    const state = stateIn(await settings.get());
    // Reads may overlap, and end in another order.
    if (at >= readAt) [newest, readAt] = [state, at];
    return state;
  };
  return {
    state: readState,
    async games() {
      outbox.look();
      const { docs } = await games.get();
      return docs.map((document) => toGame(document.id, document.data(), log));
    },
    async total() {
      outbox.look();
      const result = await games.aggregate({ total: AggregateField.sum('given') }).get();
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
  { name = '', url = '', votos, given = 0 }: DocumentData,
  log: Log,
): StoredGame {
  const whole = wholeVotes(votos);
  if (whole === undefined) log.warn(`goty/${id}: votos is not a whole number: ${votos}`);
  return { id, name: String(name), url: String(url), votos: whole ?? 0, given: Number(given) };
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

interface CommitParts extends OutboxOptions {
  readonly firestore: Firestore;
  readonly documents: Documents;
  readonly fences: ReturnType<typeof createFences>;
  readonly outbox: Outbox;
}

/** Returns what writes a group, again and again as long as a document of it makes that fail. */
function createCommit(parts: CommitParts) {
  const { firestore, documents, fences, outbox, clock, intervalMs } = parts;
  const { ballots } = documents;
  let begunAt = Number.NEGATIVE_INFINITY;

  return async (group: readonly CastBallot[], frozenAt: number | undefined) => {
    const isFirst = ({ replaces }: CastBallot) => replaces === undefined;
    const first = group.filter(isFirst);
    if (first.length === group.length) return commitFirst(group, frozenAt);
    const outcomes = new Map(zip(first, await commitFirst(first, frozenAt)));
    const moving = group.filter((ballot) => !isFirst(ballot));
    const beside = intervalMs === 0 ? undefined : outbox;
    const moved = await moveBallots(documents, beside, moving).finally(() => beside?.follow());
    for (const [ballot, outcome] of moved) outcomes.set(ballot, outcome);
    // Whoever has no vote yet that could be replaced votes for the first time.
    const rest = moving.filter((ballot) => !outcomes.has(ballot));
    for (const [ballot, outcome] of zip(rest, await commitFirst(rest, frozenAt)))
      outcomes.set(ballot, outcome);
    return group.map((ballot) => outcomes.get(ballot) ?? 'unknown-game');
  };

  /** @param frozenAt as far as the caller knows */
  async function commitFirst(
    group: readonly CastBallot[],
    frozenAt: number | undefined,
  ): Promise<readonly BallotOutcome[]> {
    if (group.length === 0) return [];
    /** For each id that is stored, the game that it was counted for, and when. */
    const stored = new Map<string, VotedFor>();
    const unknownGames = new Set<string>();
    const counted = new Set<Ballot>();
    const isQuiet = clock.elapsed() - begunAt > QUIET_INTERVALS * intervalMs;
    const isLone = intervalMs === 0 || (group.length === 1 && isQuiet);
    begunAt = clock.elapsed();
    let fenced: Fenced | undefined;
    let fruitless = 0;
    for (let tries = 1; ; tries += 1) {
      const open = group.filter(({ id, game }) => !stored.has(id) && !unknownGames.has(game));
      if (open.length === 0) break;
      // A batch can create a document only once. Duplicates get their outcome from the first.
      const distinct = new Map(open.toReversed().map((ballot) => [ballot.id, ballot]));
      const known = stored.size + unknownGames.size;
      // Without a fence, votes may be added to the sums of a vote that is frozen by now. That is right, too: the end of a
      // freeze counts every ballot.
      const mayHide = open.some(({ at }) => frozenAt !== undefined && at >= frozenAt);
      try {
        fenced = isLone && !mayHide ? undefined : await fences.latest();
        const beside = isLone ? undefined : outbox;
        await writeBallots(firestore, documents, [...distinct.values()], fenced, beside);
        for (const ballot of distinct.values()) {
          counted.add(ballot);
          stored.set(ballot.id, { votedFor: ballot.game, votedAt: ballot.at });
        }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code === ALREADY_EXISTS) {
          // Perhaps by a write whose reply was lost.
          const [, named = ''] = /\/ballots\/([\w-]+)/.exec(String(error)) ?? [];
          const isNamed = distinct.has(named) && tries <= MAX_NAMED_READS;
          const ids = isNamed ? [named] : [...distinct.keys()];
          const found = await firestore.getAll(...ids.map((id) => ballots.doc(id)));
          for (const ballot of found.filter(({ exists }) => exists)) {
            stored.set(ballot.id, votedForIn(ballot));
          }
        } else if (code === NOT_FOUND) {
          // A game is gone, or the fence.
          const { games } = await fences.renew(fenced);
          for (const { game } of open) if (!games.has(game)) unknownGames.add(game);
        } else throw error;
        // None of these documents explains the failure: the one that caused it was added or removed since. Try again.
        if (stored.size + unknownGames.size === known) fruitless += 1;
        if (fruitless === MAX_FRUITLESS_TRIES) {
          // Firestore's message names a ballot's id, which the log must not contain (SPEC B15).
          throw new Error(`a document of the group failed it with code ${code}`);
        }
      } finally {
        // Also after a failure: perhaps only the reply was lost, and nobody else knows of this entry.
        if (!isLone) outbox.follow();
      }
    }
    return group.map((ballot) => {
      const own = stored.get(ballot.id);
      if (own === undefined || unknownGames.has(ballot.game)) return 'unknown-game';
      if (counted.has(ballot)) return 'counted';
      return own.votedFor === ballot.game ? 'replayed' : own;
    });
  }
}

type VotedFor = Extract<BallotOutcome, object>;

function votedForIn(ballot: DocumentSnapshot): VotedFor {
  return { votedFor: String(ballot.get('game')), votedAt: Number(ballot.get('at')) };
}

function zip<One, Other>(some: readonly One[], others: readonly Other[]): [One, Other][] {
  return some.flatMap((one, at) =>
    others.slice(at, at + 1).map((other): [One, Other] => [one, other]),
  );
}

/**
 * Writes all ballots, and their votes into the sums or the outbox, or nothing. `create` fails the whole write if one of
 * the ballots exists already, so a retry, ours or the SDK's, counts nothing twice. It reads nothing, and waits for no
 * other instance that writes ballots.
 *
 * @param distinctBallots ballots with different ids
 * @param fenced by which it is decided whether they are hidden; `undefined` if none is
 * @param outbox in which their votes are left; `undefined` adds them to the sums
 */
async function writeBallots(
  firestore: Firestore,
  documents: Documents,
  distinctBallots: readonly CastBallot[],
  fenced: Fenced | undefined,
  outbox: Outbox | undefined,
): Promise<void> {
  const { ballots, changeSettings } = documents;
  const { fence, frozenAt, games } = fenced ?? {};
  // With the code of Firestore's own error when a batch updates a game that does not exist.
  if (games && distinctBallots.some(({ game }) => !games.has(game)))
    throw Object.assign(new Error(), { code: NOT_FOUND });
  const isHidden = ({ at }: Ballot) => frozenAt !== undefined && at >= frozenAt;
  const batch = firestore.batch();
  if (fence) batch.update(fence, { commits: FieldValue.increment(1) });
  for (const ballot of distinctBallots) {
    const { id, voided, replaces, ...fields } = ballot;
    batch.create(ballots.doc(id), {
      ...fields,
      ...(voided !== undefined && { voided: true, act: voided }),
      ...(isHidden(ballot) && { freeze: frozenAt }),
    });
  }
  const votes = new Map<string, number>();
  for (const [game, group] of Map.groupBy(distinctBallots, (ballot) => ballot.game)) {
    const number = group.filter(
      (ballot) => ballot.voided === undefined && !isHidden(ballot),
    ).length;
    // Without a fence, add even 0: the update fails if there is no such game, which is how that is noticed.
    if (number > 0 || !fence) votes.set(game, number);
  }
  if (!outbox) addToSums(batch, documents, { votes, given: votes });
  else if (votes.size > 0) outbox.leave(batch, { votes, given: votes });
  const fields = voidIncrements(
    distinctBallots.map(({ voided }) => voided),
    1,
  );
  if (fields.voids) changeSettings(batch, fields);
  await batch.commit();
}
