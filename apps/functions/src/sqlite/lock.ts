import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../runtime/operator-error.ts';

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

/**
 * SQLite finds a database's other files by its name. Under two names there are two write-ahead logs,
 * and each server overwrites the other's votes.
 *
 * @throws OperatorError if the file may be in use under another name
 */
export function checkOnlyName(path: string, realPath: string) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() && file.nlink > 1) {
    throw new OperatorError(
      `${path} has a second name, a hard link, under which it may be in use: remove that one, or make a copy.`,
    );
  }
  if (mountPoints().includes(realPath)) {
    throw new OperatorError(
      `${path} is mounted as a single file, without its -wal file with the newest votes: mount its folder.`,
    );
  }
}

/** On Linux; elsewhere none are known. See https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function mountPoints(): string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n');
    return lines.map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    );
  } catch {
    return [];
  }
}
