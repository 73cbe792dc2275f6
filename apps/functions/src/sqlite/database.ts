import { DatabaseSync } from 'node:sqlite';
import type { Nominee } from '@goty/shared/nominee';
import { OperatorError } from '../runtime/operator-error.ts';
import type { OperatorStore, VoteStore } from '../votes/vote-store.ts';
import { createFile, hasWriteAheadLog, inspectDatabaseFile, realPathOf } from './file.ts';
import { claimDatabase } from './lock.ts';
import { createSqliteOperator, recount, setNominees } from './operator.ts';
import { checkVersion, createSchema, migrate, schemaVersion } from './schema.ts';
import { createSqliteStore } from './store.ts';
import { inTransactionNow, isBusy } from './transaction.ts';

export interface SqliteOptions {
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
export function openSqliteStore({ path, firstNominees }: SqliteOptions): VoteStore {
  const isAbsent = inspectDatabaseFile(path) === 'absent';
  const nominees = isAbsent ? firstNominees() : undefined;
  const isRecovery = hasWriteAheadLog(path);
  const release = claim(path);
  const database = openDatabase(path, 0);
  try {
    const version = schemaVersion(database);
    checkVersion(path, version);
    if (version === 0) create(database, nominees ?? firstNominees());
    else check(database, firstNominees);
    makeDurable(database);
    return createSqliteStore({
      database,
      path,
      close() {
        makeOneFile(database);
        database.close();
        release();
      },
    });
  } catch (error) {
    // Closing would merge the write-ahead log into the file and delete it. Keep it for a repair.
    if (!isRecovery) database.close();
    release();
    throw unusable(path, error);
  }
}

/**
 * Opens the database as an operator's command does, beside a running server.
 *
 * @throws OperatorError if there is no database that this version can use
 */
export function openForOperator(path: string): OperatorStore {
  if (inspectDatabaseFile(path) === 'absent') {
    throw new OperatorError(`There is no database ${path}: set DATABASE, or start GOTY once.`);
  }
  try {
    const database = openDatabase(path, 5_000);
    checkVersion(path, schemaVersion(database));
    migrate(database);
    makeDurable(database);
    const store = createSqliteStore({
      database,
      path,
      close() {
        makeOneFile(database);
        database.close();
      },
    });
    return { ...store, ...createSqliteOperator(database) };
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Ends the use of the write-ahead log, unless another program is reading. The header then says so,
 * and a -wal file that is found beside the file or a copy of it cannot be its own.
 */
export function makeOneFile(database: DatabaseSync) {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** @param timeout how long a statement waits for another process, in milliseconds */
export function openDatabase(path: string, timeout: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout });
  // A recount of many votes sorts them, and there may be no other folder that can be written to.
  database.exec('PRAGMA temp_store = MEMORY');
  return database;
}

/**
 * From here on, a commit that has returned is on disk. The write-ahead log may grow to 32 MB: a merge
 * holds up the votes for some 10 ms, and with SQLite's 4 MB one in thirteen waited for one under load.
 */
export function makeDurable(database: DatabaseSync) {
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000',
  );
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
    createSchema(database);
    setNominees(database, nominees);
  });
}

function check(database: DatabaseSync, firstNominees: () => readonly Nominee[]) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  migrate(database);
  const wrong = recount(database).find((game) => !game.exists || game.votos !== game.ballots);
  if (wrong) {
    throw new Error(
      `${wrong.game} has ${wrong.votos ?? 'no'} votes, but ${wrong.ballots} ballots: \`goty audit\` shows more, \`goty audit --repair\` mends it`,
    );
  }
  if (database.prepare('SELECT 1 FROM goty LIMIT 1').get()) return;
  const nominees = firstNominees();
  inTransactionNow(database, () => setNominees(database, nominees));
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
