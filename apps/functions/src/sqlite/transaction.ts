import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

// https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const BUSY_RETRY_MS = 5;
/** How long to wait for another process, such as an operator's command, to end its write. */
export const BUSY_MS = 5_000;

/**
 * Calls `work` in a transaction, which is rolled back if it throws. While another process writes,
 * this waits without blocking the event loop, which SQLite's own timeout would block.
 */
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

/** Like `inTransaction`, but fails at once while another process writes. */
export function inTransactionNow<Result>(database: DatabaseSync, work: () => Result): Result {
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

/** Whether the error means that another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === SQLITE_BUSY;
}

/** Whether the error means that the disk is full, or fails. */
export function isOfDisk(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_FULL || code === SQLITE_IOERR;
}

/** The code of an error of SQLite without the details in its upper bits. */
function codeOf(error: unknown): number | undefined {
  const hasCode = error instanceof Error && 'errcode' in error;
  return hasCode && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
