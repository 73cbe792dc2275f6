import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../runtime/operator-error.ts';
import { checkOnlyName } from './lock.ts';
import { APPLICATION_ID, checkVersion } from './schema.ts';

// Offsets from https://www.sqlite.org/fileformat.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** 1 for a database that is one file, 2 for one that may have a write-ahead log. */
const WRITE_VERSION_AT = 18;
const PAGES_AT = 28;
/** Another one after VACUUM, too. */
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** The path without symbolic links, if it leads to a file. SQLite keeps its other files there. */
export function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : path;
}

/** Creates the file, empty, and its folder, unless they exist. */
export function createFile(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a'));
}

export interface OpenFiles {
  /** Whether the files are still in their places, and have not been overwritten as far as one can see. */
  areInPlace(): boolean;
  /** To be called once the database is closed: not earlier, since it ends SQLite's locks, too. */
  forget(): void;
}

/**
 * Remembers which files an open database consists of: SQLite does not notice when they are deleted,
 * moved, replaced or overwritten, and goes on writing into nothing, or into another database.
 *
 * One that was overwritten, as by `cp`, is told by its header. While it is open it says that there is a
 * write-ahead log, which no back-up and no database that was closed says, and it loses pages only by
 * VACUUM. What SQLite itself could have written there cannot be told: the file of another open vote,
 * copied raw, that has as many pages or more, or one of this vote from some 50 votes ago. The file's
 * time does not help: every checkpoint changes it, at any time, and by any program.
 */
export function rememberFiles(path: string): OpenFiles {
  const names = [path, `${realPathOf(path)}-wal`];
  const remembered = names.map(identityOf);
  const file = openSync(path, 'r');
  const header = Buffer.alloc(HEADER_BYTES);
  let last = { pages: 0, schemaCookie: 0 };
  // While it is being overwritten, it may look sound again.
  let isOurs = true;
  return {
    areInPlace: () =>
      names.every((name, index) => identityOf(name) === remembered[index]) && isOurHeader(),
    forget: () => closeSync(file),
  };

  function isOurHeader(): boolean {
    const isWhole = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
    const found = {
      pages: header.readUInt32BE(PAGES_AT),
      schemaCookie: header.readUInt32BE(SCHEMA_COOKIE_AT),
    };
    isOurs &&=
      isWhole &&
      header.toString('latin1', 0, MAGIC.length) === MAGIC &&
      header[WRITE_VERSION_AT] === 2 &&
      (found.pages >= last.pages || found.schemaCookie !== last.schemaCookie);
    last = found;
    return isOurs;
  }
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}

/** Whether the database has a write-ahead log with votes, as a killed process leaves it. */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${realPathOf(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Whether the file has a database of ours; `absent` if it is missing or empty. Reads only the
 * header: opening the file with SQLite could already change it.
 *
 * @throws OperatorError if the file is not ours to open, or cannot be read
 */
export function inspectDatabaseFile(path: string): 'absent' | 'present' {
  const header = readHeader(path);
  checkOnlyName(path, realPathOf(path));
  if (header.length === 0) {
    if (hasWriteAheadLog(path)) {
      throw new OperatorError(
        `${path} is missing or empty, but ${path}-wal holds some of its votes: restore ${path}, or move the -wal file away.`,
      );
    }
    return 'absent';
  }
  const magic = header.toString('latin1', 0, MAGIC.length);
  if (header.length < HEADER_BYTES || magic !== MAGIC) {
    throw new OperatorError(`${path} is not a database: move it away or set DATABASE.`);
  }
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) {
    throw new OperatorError(`${path} is another program's database: set DATABASE to another file.`);
  }
  checkVersion(path, header.readUInt32BE(USER_VERSION_AT));
  if (header[WRITE_VERSION_AT] === 1 && hasWriteAheadLog(path)) {
    throw new OperatorError(
      `${path} is a back-up or a copy, and ${path}-wal has votes of the database that was there before: move the -wal file away.`,
    );
  }
  if (header[WRITE_VERSION_AT] === 2 && lacksWriteAheadLog(realPathOf(path))) {
    throw new OperatorError(
      `${path}-wal, with the newest votes, is missing, or ${path} is in use under another name. If no server uses it: put the -wal file back, or remove ${path}-lock to go on without these votes.`,
    );
  }
  return 'present';
}

/**
 * Whether the write-ahead log is missing of a database that a server of ours has had here, as the
 * empty file of its claim shows. One that comes from elsewhere, such as from Litestream, needs none.
 *
 * @param path the real path of a database whose header says that it has one
 */
function lacksWriteAheadLog(path: string): boolean {
  // With a -journal file, SQLite was just about to change the header.
  const mayBeWithout = existsSync(`${path}-wal`) || existsSync(`${path}-journal`);
  return !mayBeWithout && existsSync(`${path}-lock`);
}

/** The first bytes of the file; none if it is missing or empty. */
function readHeader(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The database ${path} cannot be read: ${reason}.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
