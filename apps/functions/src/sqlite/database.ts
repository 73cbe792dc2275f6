import type { DatabaseSync } from 'node:sqlite';
import type { Nominee } from '@goty/shared/nominee';
import { OperatorError } from '../runtime/operator-error.ts';
import type { OperatorStore, VoteStore } from '../votes/vote-store.ts';
import { createFile, inspectDatabaseFile, realPathOf } from './file.ts';
import { type Claim, claimDatabase, markOf } from './lock.ts';
import { checkSound, commitsOf, lookInto, openDatabase } from './look.ts';
import { createSqliteOperator, setNominees } from './operator.ts';
import { createSchema, migrate, schemaVersion } from './schema.ts';
import { createSqliteStore } from './store.ts';
import { inTransactionNow, isBusy, isOfDisk } from './transaction.ts';

/** How often to try to switch to a write-ahead log before giving up. */
const MAX_TRIES = 100;

export interface SqliteOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string;
  /** Reads the nominees. Called only for an empty database, before anything is written. */
  readonly firstNominees: () => readonly Nominee[];
  /** Called after an older database was migrated, with the path of its back-up. */
  readonly migrated?: (backup: string) => void;
}

/**
 * Opens the store in a SQLite file for the one process that may serve it. Others can read the file,
 * and write to it in short transactions.
 *
 * @throws OperatorError if the file cannot be used, or the error of `firstNominees`. The votes are
 *   left unchanged.
 */
export function openSqliteStore({ path, firstNominees, migrated }: SqliteOptions): VoteStore {
  const isAbsent = inspectDatabaseFile(path) === 'absent';
  const nominees = isAbsent ? firstNominees() : undefined;
  const claim = claimFile(path);
  let database: DatabaseSync | undefined;
  try {
    if (!isAbsent) lookInto(path, claim.newest, checkSound);
    database = openDatabase(path);
    if (schemaVersion(database) === 0) create(database, nominees ?? firstNominees());
    const backup = migrate(database);
    if (backup !== undefined) migrated?.(backup);
    addFirstNominees(database, firstNominees);
    // Before the header names a log: from then on the two are compared.
    claim.mark(commitsOf(database));
    makeDurable(database);
    return storeOf(database, path, claim);
  } catch (error) {
    database?.close();
    claim.release();
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
  let database: DatabaseSync | undefined;
  try {
    lookInto(path, markOf(realPathOf(path)));
    database = openDatabase(path);
    migrate(database);
    makeDurable(database);
    return { ...storeOf(database, path), ...createSqliteOperator(database) };
  } catch (error) {
    database?.close();
    throw unusable(path, error);
  }
}

/** @param claim that of a server; without one, nothing is marked */
function storeOf(database: DatabaseSync, path: string, claim?: Claim): VoteStore {
  // From here on inTransaction waits for other processes. SQLite would hold up everything else.
  database.exec('PRAGMA busy_timeout = 0');
  return createSqliteStore({
    database,
    path,
    acknowledged: (commit) => claim?.mark(commit),
    close() {
      if (makeOneFile(database)) claim?.mark(0);
      database.close();
      claim?.release();
    },
  });
}

/**
 * Merges the write-ahead log and stops using it. If another program uses the database, or the disk has no
 * room, it stays, and the next process that closes the database merges it. Afterwards the header says that
 * there is no log, so a -wal file beside this file, or beside a copy of it, belongs to another database.
 *
 * @returns whether the database is one file now
 */
export function makeOneFile(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    return true;
  } catch (error) {
    if (!isBusy(error) && !isOfDisk(error)) throw error;
    return false;
  }
}

/**
 * From here on, a commit that has returned is on disk. The write-ahead log may grow to 32 MB. Merging it
 * holds up votes for some 10 ms; with SQLite's default of 4 MB, one vote in thirteen waited for a merge
 * under load.
 */
export function makeDurable(database: DatabaseSync) {
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000');
  const mode = database.prepare('PRAGMA journal_mode');
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    database.exec('PRAGMA journal_mode = WAL');
    // Before its first read SQLite has no lock, and a command that ends may switch back (makeOneFile).
    database.exec('SELECT 1 FROM sqlite_schema');
    if (mode.get()?.journal_mode === 'wal') return;
  }
  throw new Error('the file system allows no write-ahead log');
}

/** Claims the file for this process, and creates it if it is missing. */
function claimFile(path: string): Claim {
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

function addFirstNominees(database: DatabaseSync, firstNominees: () => readonly Nominee[]) {
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
