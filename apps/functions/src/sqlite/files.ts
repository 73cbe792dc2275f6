import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { errorText, OperatorError } from '../runtime/operator-error.ts';

/** 'GOTY' in ASCII: distinguishes our databases from those of other programs. */
export const APPLICATION_ID = 0x474f5459;

// The files of a database, past SQLite: which there are, whether they are ours, and whether they are still there.

const MOUNTS = '/proc/self/mountinfo';
// Offsets from https://www.sqlite.org/fileformat.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_AT = 18;
const PAGES_AT = 28;
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

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
  // The header is read again, since a server may have opened the database before the second question.
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

/**
 * Remembers which files an open database consists of. SQLite does not notice when they are deleted,
 * moved, replaced or overwritten: it goes on writing, and the votes are lost or end up in another
 * database. A file that was overwritten in place, as by `cp`, is recognized by its header. While a
 * database is open, its header says that there is a write-ahead log, which no backup and no closed
 * database says, and its number of pages shrinks only by VACUUM. Two cases look exactly like what
 * SQLite itself could have written, so nobody can tell them: the raw copy of another open vote with
 * as many pages or more, and a copy of this vote from some 50 votes ago. The file's time does not
 * help, because every checkpoint changes it, at any time and by any program.
 */
export function rememberFiles(path: string) {
  const names = [path, `${realPathOf(path)}-wal`];
  const remembered = names.map(identityOf);
  const file = openSync(path, 'r');
  let last = fileHeaderOf(file);
  // Once it was not ours, it stays so: while a file is being overwritten, it may look sound again
  // for a moment.
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

/** Reads the header past SQLite, which could already change a file by opening it. */
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
    /** VACUUM changes this number, too. */
    schemaCookie: bytes.readUInt32BE(SCHEMA_COOKIE_AT),
    userVersion: bytes.readUInt32BE(USER_VERSION_AT),
    applicationId: bytes.readUInt32BE(APPLICATION_ID_AT),
  };
}
