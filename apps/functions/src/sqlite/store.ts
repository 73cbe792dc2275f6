import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Game } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { moveOf } from '../votes/move.ts';
import {
  type ActPart,
  type Ballot,
  type BallotOutcome,
  type CastBallot,
  type Change,
  type Fate,
  NO_KEYS,
  type Settings,
  type StoreState,
  UnavailableError,
  unfinishedRemoval,
  type VoteStore,
} from '../votes/vote-store.ts';
import { readBallots, recountBeside, setSums } from './ballots.ts';
import { inTransaction, leaveWalMode } from './connection.ts';
import { rememberFiles } from './files.ts';
import type { Claim } from './lock.ts';

const ADD_VOTES = 'UPDATE goty SET votos = votos + ? WHERE id = ?';
/** Changes the number of ballots that an act has voided. */
const ADD_VOIDED = `INSERT INTO voids (act, ballots) VALUES (?, ?)
  ON CONFLICT (act) DO UPDATE SET ballots = ballots + excluded.ballots`;

/**
 * The store in a SQLite database: a table for the games, with their sums, and one for ballots.
 *
 * @param database an open database of ours, which the store closes
 * @param claim that of a server; without one, nothing is marked
 */
export function createSqliteStore(database: DatabaseSync, path: string, claim?: Claim): VoteStore {
  // From here on inTransaction waits for other processes. SQLite would hold up everything else.
  database.exec('PRAGMA busy_timeout = 0');
  const readState = stateReader(database);
  const storeGroup = groupWriter(database);
  const write = changeWriter(database);
  const files = rememberFiles(path);

  return {
    ...readsOf(database),
    recount: () => recountBeside(path),
    async state() {
      checkFiles();
      return readState();
    },
    async settle() {},
    async commit(ballots) {
      // Checked before the commit, because SQLite may write old pages into another file.
      checkFiles();
      const { outcomes, number } = await inTransaction(database, () => storeGroup(ballots));
      // Checked after the commit, because what was written into a deleted file is not stored.
      checkFiles();
      if (number !== undefined) claim?.mark(number);
      return outcomes;
    },
    async change(decide) {
      checkFiles();
      const changed = await inTransaction(database, () => {
        const state = readState();
        return write(decide(state, Date.now()), state);
      });
      checkFiles();
      return changed;
    },
    async close() {
      // Closing would delete the write-ahead log by its name, and by now that may be another database's.
      checkFiles();
      if (leaveWalMode(database)) claim?.mark(0);
      database.close();
      claim?.release();
      files.forget();
    },
  };

  function checkFiles() {
    if (files.areInPlace()) return;
    throw new UnavailableError(
      `${path} or its -wal file was deleted, moved, replaced or overwritten while GOTY had it open`,
    );
  }
}

/** What reads games, ballots, the record, and what is voided. */
function readsOf(database: DatabaseSync) {
  const selectGames = database.prepare('SELECT id, name, url, votos FROM goty ORDER BY id');
  const selectTotal = database.prepare('SELECT total(votos) AS total FROM goty');
  const selectActs = database.prepare('SELECT act FROM record ORDER BY rowid');
  const selectVoids = database.prepare(
    `SELECT act, ballots, (SELECT min(at) FROM ballots WHERE voided = act) AS first,
       (SELECT max(at) FROM ballots WHERE voided = act) AS last FROM voids WHERE ballots > 0`,
  );
  return {
    async games() {
      return selectGames.all().map(toGame);
    },
    async total() {
      return Number(selectTotal.get()?.total);
    },
    ballots: (only) => readBallots(database, only),
    async record() {
      return selectActs.all().map(({ act }): ActPart => JSON.parse(String(act)));
    },
    async voids() {
      return selectVoids.all().map(({ act, ballots, first, last }) => ({
        ...{ act: String(act), votes: Number(ballots) },
        ...{ from: Number(first), to: Number(last) + 1 },
      }));
    },
  } satisfies Partial<VoteStore>;
}

/** Returns what stores a group of ballots, to be called in a transaction. It tells the number of the commit, if it wrote. */
function groupWriter(database: DatabaseSync) {
  const selectFreeze = database.prepare('SELECT frozen_at FROM settings');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at, voided, freeze) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const moveBallot = ballotMover(database);
  const addVotes = database.prepare(ADD_VOTES);
  const addVoided = database.prepare(ADD_VOIDED);
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );

  return (ballots: readonly CastBallot[]) => {
    const votes = new Map<string, number>();
    const frozenAt = timeOf(selectFreeze.get()?.frozen_at);
    const outcomes = ballots.map((ballot) => storeBallot(ballot, frozenAt, votes));
    for (const [game, count] of votes) if (count !== 0) addVotes.run(count, game);
    return { outcomes, number: votes.size > 0 ? Number(nextCommit.get()?.commits) : undefined };
  };

  /** Stores one ballot and, if it counts or is moved, adds it to `votes`, which then has its game in any case. */
  function storeBallot(
    ballot: CastBallot,
    frozenAt: number | undefined,
    votes: Map<string, number>,
  ): BallotOutcome {
    const { id, game, at, voided } = ballot;
    if (!votes.has(game) && !selectGame.get(game)) return 'unknown-game';
    const freeze = frozenAt !== undefined && at >= frozenAt ? frozenAt : null;
    if (insertBallot.run(id, game, at, voided ?? null, freeze).changes === 1) {
      if (voided !== undefined) addVoided.run(voided, 1);
      const isInSum = voided === undefined && freeze === null;
      votes.set(game, (votes.get(game) ?? 0) + Number(isInSum));
      return 'counted';
    }
    return moveBallot(ballot, frozenAt, votes);
  }
}

/** Returns what moves the ballot that is stored with an id, if that is the one to be replaced. */
function ballotMover(database: DatabaseSync) {
  const selectBallot = database.prepare(
    'SELECT game, at, voided, freeze FROM ballots WHERE id = ?',
  );
  const updateBallot = database.prepare(
    'UPDATE ballots SET game = ?, at = ?, freeze = ? WHERE id = ?',
  );
  const leaveVote = database.prepare(
    `INSERT INTO moved (game, freeze, ballots) VALUES (?, ?, 1)
     ON CONFLICT (game, freeze) DO UPDATE SET ballots = ballots + 1`,
  );

  return (
    ballot: CastBallot,
    frozenAt: number | undefined,
    votes: Map<string, number>,
  ): BallotOutcome => {
    const { id, game } = ballot;
    const ballotRow = selectBallot.get(id);
    const storedBallot = {
      ...{ game: String(ballotRow?.game), at: Number(ballotRow?.at) },
      ...{ isVoided: ballotRow?.voided !== null, freeze: timeOf(ballotRow?.freeze) },
    };
    const move = moveOf(storedBallot, ballot, frozenAt);
    if (move.outcome !== 'moved') return move.outcome;
    const { at, freeze = null, loss, gain, staysInSum } = move;
    updateBallot.run(game, at, freeze, id);
    if (staysInSum) leaveVote.run(storedBallot.game, freeze);
    votes.set(storedBallot.game, (votes.get(storedBallot.game) ?? 0) - loss);
    votes.set(game, (votes.get(game) ?? 0) + gain);
    return move.outcome;
  };
}

function stateReader(database: DatabaseSync): () => StoreState {
  const selectSettings = database.prepare('SELECT * FROM settings');
  const selectKeys = database.prepare('SELECT keys FROM desk');
  const selectVoided = database.prepare('SELECT total(ballots) AS voided FROM voids');
  const selectRevision = database.prepare('PRAGMA data_version');
  return () => {
    // The revision comes first: a change between the two is then found by the next call.
    const revision = Number(selectRevision.get()?.data_version);
    const [row, desk] = [selectSettings.get(), selectKeys.get()];
    return {
      revision,
      changes: Number(row?.changes),
      times: {
        opensAt: timeOf(row?.opens_at),
        closesAt: timeOf(row?.closes_at),
        frozenAt: timeOf(row?.frozen_at),
        endsAtClose: row?.ends_at_close === 1,
      },
      keys: desk ? JSON.parse(String(desk.keys)) : NO_KEYS,
      voided: Number(selectVoided.get()?.voided),
    };
  };
}

function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toGame({ id, name, url, votos }: Record<string, SQLOutputValue>): Game {
  return { id: String(id), name: String(name), url: String(url), votos: Number(votos) };
}

/** Returns what writes a change, to be called in a transaction. It returns how many ballots were changed. */
function changeWriter(database: DatabaseSync) {
  const voidBallot = database.prepare(
    'UPDATE ballots SET voided = ? WHERE id = ? AND game = ? AND voided IS ? RETURNING freeze',
  );
  const deleteBallot = database.prepare(
    'DELETE FROM ballots WHERE id = ? AND game = ? RETURNING voided, freeze',
  );
  const deleteOrphans = database.prepare(
    'DELETE FROM ballots WHERE game = ? AND game NOT IN (SELECT id FROM goty)',
  );
  const setTimes = database.prepare(
    'UPDATE settings SET opens_at = ?, closes_at = ?, frozen_at = ?, ends_at_close = ?',
  );
  const setKeys = database.prepare('INSERT OR REPLACE INTO desk (id, keys) VALUES (1, ?)');
  const addAct = database.prepare('INSERT OR IGNORE INTO record (act) VALUES (?)');
  const addActs = (acts: readonly ActPart[]) =>
    acts.forEach((act) => void addAct.run(JSON.stringify(act)));
  const addVotes = database.prepare(ADD_VOTES);
  const addVoided = database.prepare(ADD_VOIDED);
  const noteChange = database.prepare('UPDATE settings SET changes = changes + 1');
  /** Whether the change under way has taken votes from a sum. */
  let isLower = false;

  return (change: Change, { times: { frozenAt } }: Settings): number => {
    const { acts = [], ballots, keys, missing = [], nominees = [], removed = [], times } = change;
    isLower = false;
    if (times) {
      const { opensAt = null, closesAt = null, frozenAt = null, endsAtClose } = times;
      setTimes.run(opensAt, closesAt, frozenAt, Number(endsAtClose));
    }
    if (keys) setKeys.run(JSON.stringify(keys));
    addActs(acts);
    if (nominees.length > 0) {
      assertNoOldBallots(database, nominees);
      writeNominees(database, nominees);
    }
    for (const id of removed) deleteGame(database, id);
    for (const id of missing) deleteOrphans.run(id);
    const group = ballots?.group ?? [];
    const changed = group.filter((ballot) => ballots && setFate(ballot, ballots.to, frozenAt));
    if (changed.length > 0) addActs(ballots?.actsOf?.(changed) ?? []);
    if (change.recount && setSums(database)) isLower = true;
    // A sum that falls because a vote was moved is nothing that the operator has changed.
    if (isLower) noteChange.run();
    return changed.length;
  };

  /** Returns whether that has changed the ballot. */
  function setFate({ id, game, voided }: Ballot, to: Fate, frozenAt: number | undefined): boolean {
    const act = typeof to === 'string' ? undefined : to.voidedBy;
    if (to !== 'gone' && (act === undefined) === (voided === undefined)) return false;
    const changed =
      to === 'gone'
        ? deleteBallot.get(id, game)
        : voidBallot.get(act ?? null, id, game, voided ?? null);
    if (!changed) return false;
    const before = to === 'gone' ? changed.voided : voided;
    if (typeof before === 'string') addVoided.run(before, -1);
    if (act !== undefined) addVoided.run(act, 1);
    const votes = Number(to === 'valid') - Number(typeof before !== 'string');
    if (votes === 0 || changed.freeze === frozenAt) return true;
    addVotes.run(votes, game);
    isLower ||= votes < 0;
    return true;
  }
}

/** Adds nominees and changes the texts of existing ones. To be called in a transaction. */
export function writeNominees(database: DatabaseSync, nominees: readonly Nominee[]) {
  const set = database.prepare(
    `INSERT INTO goty (id, name, url, votos) VALUES (?, ?, ?, 0)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url`,
  );
  for (const { id, name, url } of nominees) set.run(id, name, url);
}

/** @throws OperatorError if a game that is missing has ballots, which would become votes of a new one */
function assertNoOldBallots(database: DatabaseSync, nominees: readonly Nominee[]) {
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const added = nominees.map(({ id }) => id).filter((id) => !selectGame.get(id));
  // All ballots are read for this, so not if nothing is added.
  if (added.length === 0) return;
  const orphan = database.prepare(
    'SELECT game FROM ballots WHERE game IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  const found = orphan.get(JSON.stringify(added));
  if (found) throw unfinishedRemoval(String(found.game));
}

function deleteGame(database: DatabaseSync, id: string) {
  database
    .prepare(
      `UPDATE voids SET ballots = ballots -
         (SELECT count(*) FROM ballots WHERE game = ? AND voided = act)`,
    )
    .run(id);
  database.prepare('DELETE FROM moved WHERE game = ?').run(id);
  database.prepare('DELETE FROM ballots WHERE game = ?').run(id);
  database.prepare('DELETE FROM goty WHERE id = ?').run(id);
}
