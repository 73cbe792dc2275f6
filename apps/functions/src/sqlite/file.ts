import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { OperatorError, reasonOf } from '../runtime/operator-error.ts';
import { readHeader } from './header.ts';
import { APPLICATION_ID } from './schema.ts';
import { isBusy, isOfDisk } from './transaction.ts';

/** The path without symbolic links, if it leads to a file. SQLite keeps its other files there. */
export function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : path;
}

/** Whether the database has a write-ahead log, as a killed process leaves it. */
export function hasLog(path: string): boolean {
  return existsSync(`${realPathOf(path)}-wal`);
}

/**
 * Whether the file has a database of ours; `absent` if it is missing or empty.
 *
 * @throws OperatorError if the file is not ours to open, or cannot be read
 */
export function inspectDatabaseFile(path: string): 'absent' | 'present' {
  try {
    return inspect(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database ${path} cannot be read: ${reasonOf(error)}.`);
  }
}

function inspect(path: string): 'absent' | 'present' {
  checkOnlyName(path, realPathOf(path));
  if (sizeOf(path) === 0) {
    if (hasVotesInLog(path)) {
      throw new OperatorError(
        `${path} is missing or empty, but ${path}-wal holds some of its votes: restore ${path}, or move the -wal file away.`,
      );
    }
    return 'absent';
  }
  const header = readHeader(path);
  if (!header) {
    throw new OperatorError(`${path} is not a database: move it away or set DATABASE.`);
  }
  if (header.applicationId !== APPLICATION_ID) {
    throw new OperatorError(`${path} is another program's database: set DATABASE to another file.`);
  }
  // The header is read again, since a server may have opened the database before the second question.
  if (!header.mayHaveLog && hasVotesInLog(path) && !readHeader(path)?.mayHaveLog) {
    throw new OperatorError(
      `${path} is a back-up or a copy, and ${path}-wal has votes of the database that was there before: move the -wal file away.`,
    );
  }
  return 'present';
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

function hasVotesInLog(path: string): boolean {
  return sizeOf(`${realPathOf(path)}-wal`) > 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * SQLite finds a database's other files by its name, so under two names there are two write-ahead logs,
 * and each server overwrites the other's votes.
 *
 * @throws OperatorError if the file may be in use under another name
 */
function checkOnlyName(path: string, realPath: string) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() && file.nlink > 1) {
    throw new OperatorError(
      `${path} has a second name, a hard link, under which it may be in use: remove that one, or make a copy.`,
    );
  }
  if (isMountPoint(realPath)) {
    throw new OperatorError(
      `${path} is mounted as a single file, without its -wal file with the newest votes: mount its folder.`,
    );
  }
}

const MOUNTS = '/proc/self/mountinfo';

/** Whether the file is mounted by itself. Only Linux tells. */
function isMountPoint(realPath: string): boolean {
  if (!existsSync(MOUNTS)) return false;
  // https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html writes these in octal.
  const escaped = realPath.replaceAll(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  const lines = readFileSync(MOUNTS, 'utf8').split('\n');
  return lines.some((line) => line.split(' ')[4] === escaped);
}
