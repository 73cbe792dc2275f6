import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Game } from '@goty/shared/game';
import { type Nominee, nomineeFieldNames, toNominee } from '@goty/shared/nominee';
import { OperatorError } from '../runtime/operator-error.ts';
import type { Ballot, BallotOutcome, VoteStore } from '../votes/vote-store.ts';
import {
  APPLICATION_ID,
  checkVersion,
  hasWriteAheadLog,
  inspectDatabaseFile,
  SCHEMA_VERSION,
} from './sqlite-file.ts';

const NOMINEE_COLUMNS = ['id', ...nomineeFieldNames] as const;

const SCHEMA = `
  CREATE TABLE goty (
    id TEXT PRIMARY KEY,
    ${nomineeFieldNames.map((field) => `${field} TEXT NOT NULL`).join(',\n    ')},
    votos INTEGER NOT NULL CHECK (votos >= 0)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE ballots (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES goty (id),
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

export interface SqliteStoreOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string;
  /** Reads the nominees for an empty database. Called only for one, before anything is written. */
  readonly firstNominees: () => readonly Nominee[];
}

/**
 * Opens the store in a SQLite file, which stays locked for other processes until it is closed.
 *
 * @throws OperatorError if the file cannot be used, or the error of `firstNominees`. The disk is
 *   left unchanged, but a damaged file may stay locked until the process ends.
 */
export function openSqliteStore({ path, firstNominees }: SqliteStoreOptions): VoteStore {
  const isAbsent = inspectDatabaseFile(path) === 'absent';
  const nominees = isAbsent ? firstNominees() : undefined;
  const isRecovery = hasWriteAheadLog(path);
  const database = openExclusively(path);
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    checkVersion(path, version);
    if (version === 0) create(database, nominees ?? firstNominees());
    else check(database, firstNominees);
    makeDurable(database);
    return createStore(database);
  } catch (error) {
    // Closing would merge the write-ahead log into the file and delete it. Keep it for a repair.
    if (!isRecovery) database.close();
    throw unusable(path, error);
  }
}

/** From here on, a commit that has returned is on disk. */
export function makeDurable(database: DatabaseSync) {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
}

function createStore(database: DatabaseSync): VoteStore {
  const selectGames = database.prepare(
    `SELECT ${NOMINEE_COLUMNS.join(', ')}, votos FROM goty ORDER BY id`,
  );
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT game FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addVotes = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');

  return {
    async games() {
      return selectGames.all().map(toGame);
    },
    async commit(ballots) {
      return inTransaction(database, () => {
        const votes = new Map<string, number>();
        const outcomes = ballots.map((ballot) => store(ballot, votes));
        for (const [game, count] of votes) addVotes.run(count, game);
        return outcomes;
      });
    },
    async addNominees(nominees) {
      inTransaction(database, () => insertNominees(database, nominees));
    },
    async close() {
      database.close();
    },
  };

  /** Stores one ballot and, if it counts, adds it to `votes`. */
  function store({ id, game, at }: Ballot, votes: Map<string, number>): BallotOutcome {
    if (!votes.has(game) && !selectGame.get(game)) return 'unknown-game';
    if (insertBallot.run(id, game, at).changes === 1) {
      votes.set(game, (votes.get(game) ?? 0) + 1);
      return 'counted';
    }
    return selectBallot.get(id)?.game === game ? 'replayed' : 'refused';
  }
}

function toGame(row: Record<string, SQLOutputValue>): Game {
  const { id, votos, ...texts } = row;
  return { ...toNominee(String(id), (field) => String(texts[field])), votos: Number(votos) };
}

function insertNominees(database: DatabaseSync, nominees: readonly Nominee[]) {
  const insert = database.prepare(
    `INSERT INTO goty (${NOMINEE_COLUMNS.join(', ')}, votos)
     VALUES (${NOMINEE_COLUMNS.map(() => '?').join(', ')}, 0) ON CONFLICT (id) DO NOTHING`,
  );
  for (const nominee of nominees) insert.run(...NOMINEE_COLUMNS.map((column) => nominee[column]));
}

/** Opens the file so that the first access locks it until it is closed or the process ends. */
function openExclusively(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    return database;
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Writes tables and nominees in one transaction: an interrupted start leaves neither. */
function create(database: DatabaseSync, nominees: readonly Nominee[]) {
  inTransaction(database, () => {
    database.exec(SCHEMA);
    insertNominees(database, nominees);
  });
}

function check(database: DatabaseSync, firstNominees: () => readonly Nominee[]) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  if (database.prepare('SELECT 1 FROM goty LIMIT 1').get()) return;
  const nominees = firstNominees();
  inTransaction(database, () => insertNominees(database, nominees));
}

function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const SQLITE_BUSY = 5;

function unusable(path: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
    return new OperatorError(
      `The database ${path} is in use by another process: stop that one first.`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`The database ${path} cannot be used: ${reason}.`);
}
