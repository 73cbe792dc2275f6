import { DatabaseSync } from 'node:sqlite';

/**
 * Claims a database for this process, until the returned function is called or the process ends,
 * however it ends.
 *
 * The claim is SQLite's own lock on a second, empty database beside the first, because that exists
 * on every platform, and leaves the first to any reader. The empty file stays: if it were removed,
 * two processes could each hold a lock on a file of that name.
 *
 * @param path the database's real path: another name of it must lead to the same claim
 * @throws SQLite's error, SQLITE_BUSY if another process has the claim
 */
export function claimDatabase(path: string): () => void {
  const lock = new DatabaseSync(`${path}-lock`, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}
