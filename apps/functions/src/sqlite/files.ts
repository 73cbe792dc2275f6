import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { errorText, OperatorError } from '../runtime/operator-error.ts';
import { isBusy, isOfDisk } from './connection.ts';

/** The letters 'GOTY' in ASCII, which distinguish our databases from those of other programs. */
export const APPLICATION_ID = 0x474f5459;

// The files of a database: which exist, whether they are ours and still in their places, and which process has claimed them.

const MOUNTS = '/proc/self/mountinfo';
// Offsets from https://www.sqlite.org/fileformat.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_AT = 18;
const PAGES_AT = 28;
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Returns the path without symbolic links, beside which SQLite keeps its other files; the path itself if it leads to no file. */
export function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : path;
}

/** Whether the database has a write-ahead log, as while a process has it open, or after that process was killed. */
export function hasLog(path: string): boolean {
  return existsSync(`${realPathOf(path)}-wal`);
}

/** @throws OperatorError if the file is not ours to open, or cannot be read */
export function inspectDatabaseFile(path: string): 'absent' | 'present' {
  try {
    return inspect(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database ${path} cannot be read: ${errorText(error)}.`);
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
  // The header is read again, since a server may have opened the database after the first read.
  if (!header.mayHaveLog && hasVotesInLog(path) && !readHeader(path)?.mayHaveLog) {
    throw new OperatorError(
      `${path} is a back-up or a copy, and ${path}-wal has votes of the database that was there before: move the -wal file away.`,
    );
  }
  return 'present';
}

function hasVotesInLog(path: string): boolean {
  return sizeOf(`${realPathOf(path)}-wal`) > 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * SQLite finds a database's other files by its name, so under two names there are two logs, and servers overwrite each other.
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

/** Whether the file is mounted by itself. Only Linux tells this; elsewhere the answer is no. */
function isMountPoint(realPath: string): boolean {
  if (!existsSync(MOUNTS)) return false;
  // Linux writes these characters in octal, so the path is compared in that form:
  // https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
  const escaped = realPath.replaceAll(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  const lines = readFileSync(MOUNTS, 'utf8').split('\n');
  return lines.some((line) => line.split(' ')[4] === escaped);
}

/**
 * Remembers which files an open database consists of. SQLite does not notice when they are deleted, moved, replaced or
 * overwritten: it goes on writing, and the votes are lost or end up in another database.
 * A file that was overwritten in place, as by `cp`, is recognized by its header, which says that there is a write-ahead log only
 * while the database is open, and whose number of pages shrinks only by VACUUM. Two cases stay unnoticed: the raw copy of another
 * open vote with as many pages or more, and a copy of this vote from some 50 votes ago. The file's time does not help, because
 * every checkpoint changes it.
 */
export function rememberFiles(path: string) {
  const names = [path, `${realPathOf(path)}-wal`];
  const remembered = names.map(identityOf);
  const file = openSync(path, 'r');
  let last = fileHeaderOf(file);
  // Once this is false, it stays false: while a file is being overwritten, the file may look sound again for a moment.
  let isOurs = true;
  return {
    /** Whether the files are still in their places and, as far as can be seen, have not been overwritten. */
    areInPlace: () =>
      names.every((name, index) => identityOf(name) === remembered[index]) && isOurHeader(),
    /** Call this only after the database is closed: closing the file ends SQLite's locks on it. */
    forget: () => closeSync(file),
  };

  function isOurHeader(): boolean {
    const found = fileHeaderOf(file);
    isOurs &&=
      found?.mayHaveLog === true &&
      last !== undefined &&
      (found.pages >= last.pages || found.schemaCookie !== last.schemaCookie);
    last = found;
    return isOurs;
  }
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}

/** Reads the header without SQLite, which could already change a file by opening it. */
export function readHeader(path: string) {
  const file = openSync(path, 'r');
  try {
    return fileHeaderOf(file);
  } finally {
    closeSync(file);
  }
}

/** What an open file says about itself in its first bytes; `undefined` if it is not a database. */
function fileHeaderOf(file: number) {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const isWhole = readSync(file, bytes, 0, HEADER_BYTES, 0) === HEADER_BYTES;
  if (!isWhole || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return {
    /** Whether there may be a write-ahead log. No back-up and no database that was closed says so. */
    mayHaveLog: bytes[WRITE_VERSION_AT] === 2,
    pages: bytes.readUInt32BE(PAGES_AT),
    /** VACUUM changes this number, too: a file with fewer pages but the same number was not shrunk, but is another file. */
    schemaCookie: bytes.readUInt32BE(SCHEMA_COOKIE_AT),
    userVersion: bytes.readUInt32BE(USER_VERSION_AT),
    applicationId: bytes.readUInt32BE(APPLICATION_ID_AT),
  };
}

export type Claim = ReturnType<typeof claimDatabase>;

/**
 * Claims a database for this process, until the claim is released or the process ends. The claim is SQLite's own lock on a second
 * database beside the first, which any process can still read. The second file stays for good: if it were removed, two processes
 * could each hold a lock on a file of that name. The file holds only the mark and a port.
 *
 * @param path the database's real path: another name of the database must lead to the same claim
 * @throws SQLITE_BUSY if another process has the claim, OperatorError if the claim cannot be used
 */
export function claimDatabase(path: string, port = 0) {
  const isFirst = !existsSync(`${path}-lock`);
  closeSync(openSync(`${path}-lock`, 'a', 0o600));
  // Because of the time-out, a server that starts waits for a command that is just asking whether there is a server.
  const lock = new DatabaseSync(`${path}-lock`, { timeout: 100 });
  let newest: number;
  try {
    // With the locking mode EXCLUSIVE, the lock is kept after the transaction, until the connection is closed.
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
    /** The mark that the last server has left: the number of its newest acknowledged commit, 0 if it closed the database. */
    newest,
    /** Whether nobody has claimed the database here before, or the operator has removed the lock file and so accepted a loss. */
    isFirst,
    /**
     * Remembers the number of the newest acknowledged commit, 0 once the database is closed. Unlike the commit, the mark is not
     * synced: a power cut that loses only the mark loses no vote.
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

/** Whether a process has claimed the database of that real path. Asking takes no claim. */
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
 * Returns the number of the newest commit acknowledged here; 0 if there is none, or the database was closed since. The process
 * with the claim must not call this: closing the file would give up its locks (https://www.sqlite.org/howtocorrupt.html).
 */
export function markOf(path: string): number {
  const lock = `${path}-lock`;
  return (existsSync(lock) && readHeader(lock)?.userVersion) || 0;
}

/** Returns the server's port; 0 if it is not known. As with `markOf`, the process that has the claim must not call this. */
export function portOfServer(path: string): number {
  return readHeader(`${path}-lock`)?.applicationId ?? 0;
}
