import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

// What is SQLite's own: its modes, its transactions and its errors.

// https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

const MAX_WAL_TRIES = 100;
const BUSY_RETRY_MS = 5;
/** How long to wait for another process, such as an operator's command, to end its write. */
const BUSY_MS = 5_000;

export function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS, ...options });
  // SQLite would sort the votes of a recount in a temporary file, but the database's folder may be the only one that it can write
  // to, so it sorts in memory. With FAST, what is deleted, such as the key of codes that have ended, is overwritten where that
  // costs nothing.
  database.exec('PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST');
  return database;
}

/**
 * Switches to a write-ahead log. From here on, a commit that has returned is on disk. The log may grow to 32 MB. Merging it into
 * the database holds up votes for some 10 ms; with SQLite's default of 4 MB, one vote in thirteen waited for a merge under load.
 */
export function enterWalMode(database: DatabaseSync) {
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000');
  const mode = database.prepare('PRAGMA journal_mode');
  for (let tries = 0; tries < MAX_WAL_TRIES; tries += 1) {
    database.exec('PRAGMA journal_mode = WAL');
    // A command that ends may switch the mode back (see `leaveWalMode`) while this connection has no lock and no -wal file. The
    // first read gives it both, so the mode is certain only after that read.
    database.exec('SELECT 1 FROM sqlite_schema');
    if (mode.get()?.journal_mode === 'wal') return;
  }
  throw new Error('the file system allows no write-ahead log');
}

/**
 * Merges the write-ahead log into the database and stops using a log. If another program uses the database, or the disk has no
 * room, the log stays for the next process that closes the database. After a merge, the header says that there is no log, so a
 * -wal file beside this file, or beside a copy of it, belongs to another database. Returns whether the database is one file now.
 */
export function leaveWalMode(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    return true;
  } catch (error) {
    if (!isBusy(error) && !isOfDisk(error)) throw error;
    return false;
  }
}

/** Rolls back if `work` throws. While another process writes, this waits up to 5 s without blocking the event loop. */
export async function inTransaction<Result>(
  database: DatabaseSync,
  work: () => Result,
): Promise<Result> {
  const deadline = performance.now() + BUSY_MS;
  while (true) {
    try {
      return inTransactionNow(database, work);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await wait(BUSY_RETRY_MS);
    }
  }
}

/** While another process writes, SQLite blocks the event loop here for the connection's time-out, and then fails. */
export function inTransactionNow<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back, and ROLLBACK would be another error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === SQLITE_BUSY;
}

/** Whether the error means that the disk is full, or fails. */
export function isOfDisk(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === SQLITE_FULL || code === SQLITE_IOERR;
}

/** The code of an error of SQLite without the details in its upper bits. */
function sqliteCodeOf(error: unknown): number | undefined {
  const hasCode = error instanceof Error && 'errcode' in error;
  return hasCode && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
