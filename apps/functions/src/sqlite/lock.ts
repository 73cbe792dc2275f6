import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../runtime/operator-error.ts';
import { isBusy, isOfDisk } from './connection.ts';
import { readHeader } from './files.ts';

export type Claim = ReturnType<typeof claimDatabase>;

/**
 * Claims a database for this process, until it is released or the process ends, however it ends.
 *
 * The claim is SQLite's own lock on a second database beside the first, because that exists on every
 * platform, and leaves the first to any reader. The file stays: if it were removed, two processes
 * could each hold a lock on a file of that name. Nothing is in it but the mark and a port.
 *
 * @param path the database's real path: another name of it must lead to the same claim
 * @param port the port at which this machine reaches the server of this process; 0 if it cannot
 * @throws SQLITE_BUSY if another process has the claim, OperatorError if the claim cannot be used
 */
export function claimDatabase(path: string, port = 0) {
  const isFirst = !existsSync(`${path}-lock`);
  closeSync(openSync(`${path}-lock`, 'a', 0o600));
  // A server waits for a command that is just asking whether there is one.
  const lock = new DatabaseSync(`${path}-lock`, { timeout: 100 });
  let newest: number;
  try {
    // In this mode the lock is kept when a transaction ends.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    newest = Number(lock.prepare('PRAGMA user_version').get()?.user_version);
    lock.exec(
      `PRAGMA user_version = ${newest}; PRAGMA application_id = ${port}; COMMIT; PRAGMA synchronous = OFF`,
    );
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw error;
    throw new OperatorError(
      `${path}-lock cannot be used: ${String(error)}. If no server is running, remove it.`,
    );
  }
  return {
    /** The mark that the server before has left. */
    newest,
    /** Whether nobody has claimed the database at this place before, or the operator has accepted a loss by removing the mark. */
    isFirst,
    /**
     * Remembers the number of the newest acknowledged commit, 0 once the database is closed. The mark is not synced,
     * the commit is: a power cut that loses the mark alone loses no vote.
     */
    mark(commit: number) {
      try {
        lock.exec(`PRAGMA user_version = ${commit}`);
      } catch (error) {
        // Without the mark, a loss would not be noticed. That is no reason to fail votes that are stored.
        if (!isOfDisk(error)) throw error;
      }
    },
    release: () => lock.close(),
  };
}

/** Whether a process has claimed the database of that real path. This takes no claim. */
export function isClaimed(path: string): boolean {
  if (!existsSync(`${path}-lock`)) return false;
  try {
    using lock = new DatabaseSync(`${path}-lock`, { readOnly: true, timeout: 0 });
    lock.prepare('PRAGMA user_version').get();
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

/**
 * The number of the newest commit that a server has acknowledged here; 0 if none has, or if the
 * database was closed since. Read past SQLite, since a running server has the lock. Not for the process that has
 * the claim: closing the file would give up its locks (https://www.sqlite.org/howtocorrupt.html).
 */
export function markOf(path: string): number {
  const lock = `${path}-lock`;
  return (existsSync(lock) && readHeader(lock)?.userVersion) || 0;
}

/**
 * The port of the server that has claimed the database of that real path; 0 if it is not known. Read past SQLite, like
 * `markOf`.
 */
export function portOfServer(path: string): number {
  return readHeader(`${path}-lock`)?.applicationId ?? 0;
}
