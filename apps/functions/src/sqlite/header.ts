import { closeSync, openSync, readSync } from 'node:fs';

// Offsets from https://www.sqlite.org/fileformat.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_AT = 18;
const PAGES_AT = 28;
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** What a database says about itself in its first bytes. */
export interface Header {
  /** Whether there may be a write-ahead log. No back-up and no database that was closed says so. */
  readonly mayHaveLog: boolean;
  readonly pages: number;
  /** VACUUM changes this number, too. */
  readonly schemaCookie: number;
  readonly userVersion: number;
  readonly applicationId: number;
}

/** Reads the header past SQLite, which could already change a file by opening it. */
export function readHeader(path: string): Header | undefined {
  const file = openSync(path, 'r');
  try {
    return headerOf(file);
  } finally {
    closeSync(file);
  }
}

/** The header of an open file; `undefined` if it is not a database. */
export function headerOf(file: number): Header | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const isWhole = readSync(file, bytes, 0, HEADER_BYTES, 0) === HEADER_BYTES;
  if (!isWhole || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return {
    mayHaveLog: bytes[WRITE_VERSION_AT] === 2,
    pages: bytes.readUInt32BE(PAGES_AT),
    schemaCookie: bytes.readUInt32BE(SCHEMA_COOKIE_AT),
    userVersion: bytes.readUInt32BE(USER_VERSION_AT),
    applicationId: bytes.readUInt32BE(APPLICATION_ID_AT),
  };
}
