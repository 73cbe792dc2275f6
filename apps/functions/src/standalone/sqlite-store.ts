import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Game } from '@goty/shared/game';
import { type Nominee, nomineeFieldNames, toNominee } from '@goty/shared/nominee';
import { OperatorError } from '../runtime/operator-error.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import type { Ballot, BallotOutcome, VoteStore } from '../votes/vote-store.ts';
import {
  APPLICATION_ID,
  checkVersion,
  createFile,
  hasWriteAheadLog,
  inspectDatabaseFile,
  realPathOf,
  rememberFiles,
  SCHEMA_VERSION,
} from './sqlite-file.ts';
import { claimDatabase } from './sqlite-lock.ts';
import { inTransaction, inTransactionNow, isBusy } from './sqlite-transaction.ts';

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
 * Opens the store in a SQLite file for the one process that may serve it. Others can read the file,
 * and write to it in short transactions.
 *
 * @throws OperatorError if the file cannot be used, or the error of `firstNominees`. The votes are
 *   left unchanged, but a damaged file may stay claimed until the process ends.
 */
export function openSqliteStore({ path, firstNominees }: SqliteStoreOptions): VoteStore {
  const isAbsent = inspectDatabaseFile(path) === 'absent';
  const nominees = isAbsent ? firstNominees() : undefined;
  const isRecovery = hasWriteAheadLog(path);
  const release = claim(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    checkVersion(path, version);
    if (version === 0) create(database, nominees ?? firstNominees());
    else check(database, firstNominees);
    makeDurable(database);
    return createStore(database, path, release);
  } catch (error) {
    // Closing would merge the write-ahead log into the file and delete it. Keep it for a repair.
    if (!isRecovery) database.close();
    release();
    throw unusable(path, error);
  }
}

/** From here on, a commit that has returned is on disk. */
export function makeDurable(database: DatabaseSync) {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
}

/** @param release gives up the claim to be the only server */
function createStore(database: DatabaseSync, path: string, release: () => void): VoteStore {
  const selectGames = database.prepare(
    `SELECT ${NOMINEE_COLUMNS.join(', ')}, votos FROM goty ORDER BY id`,
  );
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT game FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addVotes = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  const selectRevision = database.prepare('PRAGMA data_version');
  // The first access after the switch to WAL creates the -wal file.
  selectRevision.get();
  selectGame.get('');
  const areFilesInPlace = rememberFiles(path);

  return {
    async revision() {
      checkFiles();
      return Number(selectRevision.get()?.data_version);
    },
    async games() {
      return selectGames.all().map(toGame);
    },
    async commit(ballots) {
      const outcomes = await inTransaction(database, () => {
        const votes = new Map<string, number>();
        const all = ballots.map((ballot) => store(ballot, votes));
        for (const [game, count] of votes) addVotes.run(count, game);
        return all;
      });
      // Afterwards: what was written into a deleted file is not stored.
      checkFiles();
      return outcomes;
    },
    async addNominees(nominees) {
      await inTransaction(database, () => insertNominees(database, nominees));
    },
    async close() {
      // Closing would delete the write-ahead log by its name, which may be another database's now.
      checkFiles();
      database.close();
      release();
    },
  };

  function checkFiles() {
    if (areFilesInPlace()) return;
    throw new UnavailableError(
      `${path} or its -wal file was deleted, moved or replaced while GOTY had it open`,
    );
  }

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

/**
 * Claims the file, created if missing, for this process.
 *
 * @returns gives up the claim
 */
function claim(path: string): () => void {
  try {
    createFile(path);
    return claimDatabase(realPathOf(path));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Writes tables and nominees in one transaction: an interrupted start leaves neither. */
function create(database: DatabaseSync, nominees: readonly Nominee[]) {
  inTransactionNow(database, () => {
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
  inTransactionNow(database, () => insertNominees(database, nominees));
}

function unusable(path: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  if (isBusy(error)) {
    return new OperatorError(
      `The database ${path} is in use by another process: stop that one first.`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`The database ${path} cannot be used: ${reason}.`);
}
