import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { wholeVotes } from '@goty/shared/game';
import { NOMINEE_TEXTS, type Nominee, toNominee } from '@goty/shared/nominee';
import { eachTime, TIME_NAMES } from '@goty/shared/vote-times';
import {
  addSumChange,
  type Ballot,
  type BallotOutcome,
  type CastBallot,
  isForFate,
  isOfOtherVote,
  movedBallot,
  noSumChanges,
  outcomeBeside,
  type StoredGame,
  SUM_NAMES,
  type SumChanges,
  withFate,
} from '../votes/ballot.ts';
import {
  type ActPart,
  type Change,
  NO_KEYS,
  type Settings,
  type StoreState,
  UnavailableError,
  unfinishedRemoval,
  type VoteStore,
} from '../votes/vote-store.ts';
import { readBallots, recountBeside, setSums } from './ballots.ts';
import { inTransaction, leaveWalMode } from './connection.ts';
import { type Claim, rememberFiles } from './files.ts';
import { TIME_COLUMNS, TIMES_BY_NAME } from './tables.ts';

/** The store closes `database`. Without the `claim` of the process that serves or makes the vote, no commit is marked. */
export function createSqliteStore(database: DatabaseSync, path: string, claim?: Claim): VoteStore {
  // From here on, `inTransaction` waits for other processes. A wait in SQLite itself would block the event loop.
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
      // The files are checked before the commit, because SQLite may write old pages into a file that has taken their place.
      checkFiles();
      const { outcomes, number } = await inTransaction(database, () => storeGroup(ballots));
      // The files are checked again after the commit, because what was written into a deleted file is not stored.
      checkFiles();
      if (number !== undefined) claim?.mark(number);
      return outcomes;
    },
    async change(decide) {
      checkFiles();
      const changed = await inTransaction(database, () => {
        const state = readState();
        const now = Date.now();
        return write(decide(state, now), state, now);
      });
      checkFiles();
      return changed;
    },
    async close() {
      // Closing deletes the write-ahead log by its name, and by now that name may belong to another database.
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

function readsOf(database: DatabaseSync) {
  const selectGames = database.prepare('SELECT * FROM goty ORDER BY id');
  const selectTally = database.prepare('SELECT total(writes) AS tally FROM goty');
  const selectActs = database.prepare('SELECT act FROM record ORDER BY rowid');
  const selectVoids = database.prepare(
    `SELECT voided AS act, count(*) AS ballots, min(at) AS first, max(at) AS last
     FROM ballots WHERE voided IS NOT NULL GROUP BY voided`,
  );
  const selectHidden = database.prepare(
    'SELECT frozen_at, goty.id, hidden FROM settings LEFT JOIN goty ON hidden <> 0',
  );
  return {
    async games() {
      return selectGames.all().map(toGame);
    },
    async tally() {
      return Number(selectTally.get()?.tally);
    },
    async hidden() {
      const rows = selectHidden.all();
      const found = rows.filter(({ id }) => id !== null);
      return {
        frozenAt: timeOf(rows[0]?.frozen_at),
        votes: new Map(found.map(({ id, hidden }) => [String(id), Number(hidden)])),
      };
    },
    ballots: (only) => readBallots(database, only),
    async record() {
      return selectActs.all().map(({ act }): ActPart => JSON.parse(String(act)));
    },
    async voids() {
      return selectVoids.all().map(({ act, ballots, first, last }) => ({
        act: String(act),
        votes: Number(ballots),
        from: Number(first),
        to: Number(last) + 1,
      }));
    },
  } satisfies Partial<VoteStore>;
}

function stateReader(database: DatabaseSync): () => StoreState {
  const selectSettings = database.prepare(
    `SELECT changes, vote_id, code_key, ${TIMES_BY_NAME} FROM settings`,
  );
  const selectKeys = database.prepare('SELECT keys FROM desk');
  const selectRevision = database.prepare('PRAGMA data_version');
  const selectActs = database.prepare('SELECT max(rowid) AS acts FROM record');
  return () => {
    // The revision is read before the settings: a change between the two reads is then found by the next call.
    const revision = Number(selectRevision.get()?.data_version) + Number(selectActs.get()?.acts);
    const row = selectSettings.get();
    const desk = selectKeys.get();
    return {
      revision,
      changes: Number(row?.changes),
      voteId: String(row?.vote_id),
      times: {
        ...eachTime((name) => timeOf(row?.[name])),
        endsAtClose: row?.endsAtClose === 1,
      },
      keys: desk ? JSON.parse(String(desk.keys)) : NO_KEYS,
      codeKey: row?.code_key ? JSON.parse(String(row.code_key)) : undefined,
    };
  };
}

function toGame({ id, name, url, votos, writes }: Record<string, SQLOutputValue>): StoredGame {
  return {
    id: String(id),
    name: String(name),
    url: String(url),
    votos: wholeVotes(votos) ?? 0,
    writes: Number(writes),
  };
}

/** The returned function stores a group, and returns the outcomes and, if any was stored or moved, the number of the commit. */
function groupWriter(database: DatabaseSync) {
  const selectSettings = database.prepare('SELECT frozen_at, vote_id FROM settings');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT id, game, at, voided FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at, voided) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const updateBallot = database.prepare('UPDATE ballots SET game = ?, at = ? WHERE id = ?');
  const writeSums = sumWriter(database);
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );

  return (ballots: readonly CastBallot[]) => {
    const sums = noSumChanges();
    const knownGames = new Set<string>();
    const settings = selectSettings.get();
    const frozenAt = timeOf(settings?.frozen_at);
    const voteId = String(settings?.vote_id);
    const outcomes = ballots.map((ballot) => {
      const { game } = ballot;
      if (isOfOtherVote(ballot, voteId)) return 'other-vote';
      if (!knownGames.has(game) && !selectGame.get(game)) return 'unknown-game';
      knownGames.add(game);
      return storeBallot(ballot, frozenAt, sums);
    });
    writeSums(sums);
    const hasWritten = outcomes.some((outcome) => outcome === 'counted' || outcome === 'moved');
    return { outcomes, number: hasWritten ? Number(nextCommit.get()?.commits) : undefined };
  };

  /** Stores one ballot, for a game that exists, and adds to `sums` what the ballot changes. */
  function storeBallot(
    ballot: CastBallot,
    frozenAt: number | undefined,
    sums: SumChanges,
  ): BallotOutcome {
    const { id, game, at, voided, replaces } = ballot;
    const isFirst = replaces === undefined;
    if (isFirst && insertBallot.run(id, game, at, voided ?? null).changes === 1) {
      addSumChange(sums, undefined, ballot, frozenAt);
      return 'counted';
    }
    const row = selectBallot.get(id);
    if (!row) return 'nothing-to-replace';
    const stored = toBallot(row);
    const outcome = outcomeBeside(stored, ballot);
    if (outcome !== 'moved') return outcome;
    const moved = movedBallot(stored, ballot);
    updateBallot.run(moved.game, moved.at, id);
    addSumChange(sums, stored, moved, frozenAt);
    return outcome;
  }
}

/** Returns a function that changes sums of existing games in a transaction, and returns whether fewer votes are shown. */
function sumWriter(database: DatabaseSync) {
  const addVotes: Readonly<Record<keyof SumChanges, StatementSync>> = {
    votos: database.prepare('UPDATE goty SET votos = votos + ?, writes = writes + 1 WHERE id = ?'),
    hidden: database.prepare('UPDATE goty SET hidden = hidden + ? WHERE id = ?'),
  };
  return (sums: SumChanges): boolean => {
    for (const sum of SUM_NAMES) {
      for (const [game, votes] of sums[sum]) if (votes !== 0) addVotes[sum].run(votes, game);
    }
    return sums.votos.values().some((votes) => votes < 0);
  };
}

function toBallot({ id, game, at, voided }: Record<string, SQLOutputValue>): Ballot {
  const ballot = { id: String(id), game: String(game), at: Number(at) };
  return typeof voided === 'string' ? { ...ballot, voided } : ballot;
}

function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns a function that writes a change in a transaction, and returns how many ballots were changed. */
function changeWriter(database: DatabaseSync) {
  const setFates = fateWriter(database);
  const deleteOrphans = database.prepare(
    'DELETE FROM ballots WHERE game = ? AND game NOT IN (SELECT id FROM goty)',
  );
  const setTimes = database.prepare(
    `UPDATE settings SET ${TIME_COLUMNS.map((column) => `${column} = ?`).join(', ')}`,
  );
  const setVoteId = database.prepare('UPDATE settings SET vote_id = ?');
  const setCodeKey = database.prepare('UPDATE settings SET code_key = ?');
  const setKeys = database.prepare('INSERT OR REPLACE INTO desk (id, keys) VALUES (1, ?)');
  const addAct = database.prepare('INSERT OR IGNORE INTO record (act) VALUES (?)');
  const addActs = (acts: readonly ActPart[]) =>
    acts.forEach((act) => void addAct.run(JSON.stringify(act)));
  const showAll = database.prepare(
    'UPDATE goty SET votos = votos + hidden, hidden = 0 WHERE hidden <> 0',
  );
  const hideAll = database.prepare(
    'UPDATE goty SET hidden = hidden + votos, votos = 0 WHERE votos <> 0',
  );
  const noteChange = database.prepare('UPDATE settings SET changes = changes + 1');

  return (change: Change, { times: before }: Settings, now: number): number => {
    const { acts = [], ballots, codeKey, keys, missing = [], nominees = [], removed = [] } = change;
    const { times = before } = change;
    const { frozenAt = Infinity } = times;
    if (frozenAt !== (before.frozenAt ?? Infinity)) showAll.run();
    if (change.times) {
      setTimes.run(...TIME_NAMES.map((name) => times[name] ?? null), Number(times.endsAtClose));
    }
    if (change.voteId !== undefined) setVoteId.run(change.voteId);
    if (keys) setKeys.run(JSON.stringify(keys));
    if (codeKey !== undefined) setCodeKey.run(codeKey && JSON.stringify(codeKey));
    addActs(acts);
    if (nominees.length > 0) {
      assertNoOldBallots(database, nominees);
      writeNominees(database, nominees);
    }
    for (const id of removed) deleteGame(database, id);
    for (const id of missing) deleteOrphans.run(id);
    const [changed, isVoided] = ballots ? setFates(ballots, frozenAt) : [[], false];
    let isLower = isVoided;
    if (changed.length > 0) addActs(ballots?.actsOf?.(changed) ?? []);
    if (change.recount && setSums(database, frozenAt <= now)) isLower = true;
    if (change.hide && frozenAt <= now && hideAll.run().changes > 0) isLower = true;
    // Only here is a lower sum a change by the operator: elsewhere a sum falls because a visitor has changed a vote.
    if (isLower) noteChange.run();
    return changed.length;
  };
}

/** Returns a function that changes ballots and their sums, and returns the changed ballots, and whether fewer votes are shown. */
function fateWriter(database: DatabaseSync) {
  const selectBallot = database.prepare('SELECT id, game, at, voided FROM ballots WHERE id = ?');
  const setVoided = database.prepare('UPDATE ballots SET voided = ? WHERE id = ?');
  const deleteBallot = database.prepare('DELETE FROM ballots WHERE id = ?');
  const writeSums = sumWriter(database);

  return (
    { group, to }: NonNullable<Change['ballots']>,
    frozenAt: number,
  ): [changed: Ballot[], isLower: boolean] => {
    const sums = noSumChanges();
    const changed = group.filter((read) => {
      const row = selectBallot.get(read.id);
      const stored = row && toBallot(row);
      if (!stored || !isForFate(stored, read, to)) return false;
      const after = withFate(stored, to);
      if (after) setVoided.run(after.voided ?? null, after.id);
      else deleteBallot.run(read.id);
      addSumChange(sums, stored, after, frozenAt);
      return true;
    });
    return [changed, writeSums(sums)];
  };
}

/** Adds nominees and changes the texts of existing ones. To be called in a transaction. */
export function writeNominees(database: DatabaseSync, nominees: readonly Nominee[]) {
  const places = NOMINEE_TEXTS.map((field) => `:${field}`);
  const updates = NOMINEE_TEXTS.map((field) => `${field} = :${field}`);
  const set = database.prepare(
    `INSERT INTO goty (id, ${NOMINEE_TEXTS.join(', ')}, votos) VALUES (:id, ${places.join(', ')}, 0)
     ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
  );
  for (const nominee of nominees) set.run({ ...toNominee(nominee) });
}

/** @throws OperatorError if a nominee that is to be added has ballots already, which would become its votes */
function assertNoOldBallots(database: DatabaseSync, nominees: readonly Nominee[]) {
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const added = nominees.map(({ id }) => id).filter((id) => !selectGame.get(id));
  // The query below reads all ballots, so it is skipped if no nominee is added.
  if (added.length === 0) return;
  const orphan = database.prepare(
    'SELECT game FROM ballots WHERE game IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  const found = orphan.get(JSON.stringify(added));
  if (found) throw unfinishedRemoval(String(found.game));
}

function deleteGame(database: DatabaseSync, id: string) {
  database.prepare('DELETE FROM ballots WHERE game = ?').run(id);
  database.prepare('DELETE FROM goty WHERE id = ?').run(id);
}
