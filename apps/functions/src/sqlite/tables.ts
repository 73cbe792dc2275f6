import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { NOMINEE_TEXTS } from '@goty/shared/nominee';
import { TIME_NAMES, type VoteTimes } from '@goty/shared/vote-times';
import { errorText, OperatorError } from '../runtime/operator-error.ts';
import { newVoteId, UNNAMED_VOTE } from '../votes/ballot.ts';
import { checkSound } from './ballots.ts';
import { inTransactionNow, isBusy, openDatabase } from './connection.ts';
import { APPLICATION_ID, realPathOf } from './files.ts';

const TIME_FIELDS = [...TIME_NAMES, 'endsAtClose' as const];
/** The columns of `settings` that hold a vote's times: `opens_at` for `opensAt`. */
export const TIME_COLUMNS = TIME_FIELDS.map(columnOf);
/** The columns of `settings` that pages are told. */
const TOLD_COLUMNS = [...TIME_COLUMNS, 'vote_id'];
export const TIMES_BY_NAME = TIME_FIELDS.map((field) => `${columnOf(field)} AS ${field}`).join();

/**
 * What the names do not say:
 * - `goty.votos` is the sum that visitors can read. It is negative only after a change by hand.
 * - `goty.hidden` is the sum that a freeze hides beside `votos`. It may be negative.
 * - `ballots.voided` is the id of the act that voids the ballot.
 * - `settings.commits` is the number of the newest commit: see files.ts.
 * - `settings.changes` grows with each change that visitors can see, so not with votes, or the voiding of hidden votes.
 */
const TABLES = `
  PRAGMA application_id = ${APPLICATION_ID};

  CREATE TABLE goty (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    votos INTEGER NOT NULL,
    hidden INTEGER NOT NULL DEFAULT 0,
    writes INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE ballots (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES goty (id),
    at INTEGER NOT NULL,
    voided TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX voided ON ballots (voided, at) WHERE voided IS NOT NULL;

  CREATE TABLE settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    opens_at INTEGER,
    closes_at INTEGER,
    commits INTEGER NOT NULL DEFAULT 0,
    frozen_at INTEGER,
    ends_at_close INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0,
    vote_id TEXT NOT NULL DEFAULT '${UNNAMED_VOTE}',
    code_key TEXT
  ) STRICT;

  CREATE TABLE record (act TEXT PRIMARY KEY) STRICT;
  CREATE TABLE desk (id INTEGER PRIMARY KEY, keys TEXT NOT NULL) STRICT;

  CREATE TRIGGER status AFTER UPDATE OF ${TOLD_COLUMNS.join(', ')} ON settings
  WHEN ${differ(TOLD_COLUMNS)}
  BEGIN UPDATE settings SET changes = changes + 1; END;
  CREATE TRIGGER games AFTER UPDATE ON goty
  WHEN ${differ(NOMINEE_TEXTS)}
  BEGIN UPDATE settings SET changes = changes + 1; END;
  CREATE TRIGGER added AFTER INSERT ON goty BEGIN UPDATE settings SET changes = changes + 1; END;
  CREATE TRIGGER removed AFTER DELETE ON goty BEGIN UPDATE settings SET changes = changes + 1; END;
`;

function columnOf(field: keyof VoteTimes): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function differ(columns: readonly string[]): string {
  const before = columns.map((column) => `OLD.${column}`);
  const after = columns.map((column) => `NEW.${column}`);
  return `(${before.join(', ')}) IS NOT (${after.join(', ')})`;
}

export function createTables(database: DatabaseSync, schema: number) {
  database.exec(`${TABLES} PRAGMA user_version = ${schema}`);
  database.prepare('INSERT INTO settings (id, vote_id) VALUES (1, ?)').run(newVoteId());
}

/**
 * Changes tables, and what is in them, from one schema to the next, in a transaction without foreign keys. Every schema has to
 * have `settings.commits`, because a start compares that number with the mark in the lock file before it changes anything.
 */
export type Migration = (database: DatabaseSync) => void;

/** `ballots.freeze` and the table `moved` of schema 8 became `goty.hidden`. The index `voided` replaces the table `voids`. */
const TO_SCHEMA_9 = `
  CREATE TABLE goty_9 (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    votos INTEGER NOT NULL,
    hidden INTEGER NOT NULL DEFAULT 0,
    writes INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  INSERT INTO goty_9
    SELECT id, name, url, votos, coalesce(own.hidden, 0) - coalesce(moved.ballots, 0), 0 FROM goty
    LEFT JOIN (
      SELECT game, count(*) AS hidden FROM ballots
      WHERE voided IS NULL AND freeze = (SELECT frozen_at FROM settings) GROUP BY game
    ) AS own ON own.game = id
    LEFT JOIN moved ON moved.game = id AND moved.freeze = (SELECT frozen_at FROM settings);
  DROP TABLE moved;
  DROP TABLE voids;
  DROP TABLE goty;
  ALTER TABLE goty_9 RENAME TO goty;
  ALTER TABLE ballots DROP COLUMN freeze;
  ALTER TABLE settings ADD COLUMN vote_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE settings ADD COLUMN code_key TEXT;

  DROP TRIGGER times;
  CREATE TRIGGER status
  AFTER UPDATE OF opens_at, closes_at, frozen_at, ends_at_close, vote_id ON settings
  WHEN (OLD.opens_at, OLD.closes_at, OLD.frozen_at, OLD.ends_at_close, OLD.vote_id)
    IS NOT (NEW.opens_at, NEW.closes_at, NEW.frozen_at, NEW.ends_at_close, NEW.vote_id)
  BEGIN UPDATE settings SET changes = changes + 1; END;

  CREATE TRIGGER games AFTER UPDATE ON goty
  WHEN (OLD.name, OLD.url) IS NOT (NEW.name, NEW.url)
  BEGIN UPDATE settings SET changes = changes + 1; END;
  CREATE TRIGGER added AFTER INSERT ON goty BEGIN UPDATE settings SET changes = changes + 1; END;
  CREATE TRIGGER removed AFTER DELETE ON goty BEGIN UPDATE settings SET changes = changes + 1; END;
`;

const FIRST_SCHEMA = 8;
/** The first step is from schema 8, of version 1.0.0. A new step needs a change of TABLES, and a database in testing/votes. */
export const MIGRATIONS: readonly Migration[] = [(database) => database.exec(TO_SCHEMA_9)];

export function newestSchema(migrations: readonly Migration[]): number {
  return FIRST_SCHEMA + migrations.length;
}

/** @throws OperatorError if the tables are those of a newer version, or of one before 1.0.0 */
export function inspectTables(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): 'none' | 'current' | 'old' {
  const schema = schemaOf(database);
  const newest = newestSchema(migrations);
  if (schema === 0) return 'none';
  if (schema === newest) return 'current';
  if (schema >= FIRST_SCHEMA && schema < newest) return 'old';
  const isNewer = schema > newest;
  const advice = isNewer
    ? 'update GOTY'
    : `\`export\` the vote with that version, move ${path} away, and \`import\` the vote here`;
  throw new OperatorError(
    `${path} comes from ${isNewer ? 'a newer' : 'an older'} version of GOTY (schema ${schema}, this one knows ${newest}): ${advice}.`,
  );
}

/**
 * Migrates all or nothing, after writing a copy beside the database. A database whose sums are then found to be wrong stays as it
 * was, for the version that knows how to mend it. Returns a line that tells of the migration.
 *
 * @throws SQLITE_BUSY if another process has the database open, OperatorError if the database stays as it was for another reason
 */
export function migrate(path: string, migrations: readonly Migration[]): string {
  using database = openDatabase(path, { enableForeignKeyConstraints: false });
  const schema = schemaOf(database);
  const newest = newestSchema(migrations);
  const copy = copyOf(path, schema);
  let isCopied = false;
  try {
    // The lock is kept between transactions, so that nobody votes after the copy is made, or goes on with the old tables.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    writeCopy(database, copy);
    isCopied = true;
    inTransactionNow(database, () => {
      for (const step of migrations.slice(schema - FIRST_SCHEMA)) step(database);
      database.exec(`PRAGMA user_version = ${newest}`);
      checkSound(database);
    });
    return `${path} was brought from schema ${schema} to ${newest}. ${copy} is what it was before, until the next start.`;
  } catch (error) {
    if (isBusy(error)) throw error;
    // The database is as it was, so the copy has nothing that the database lacks. On a full disk the copy would be in the way.
    if (isCopied) rmSync(copy, { force: true });
    throw new OperatorError(
      `${path} cannot be brought from schema ${schema} to ${newest}, and is as it was: ${errorText(error)}. The commands of the version before still open it.`,
    );
  }
}

/** Removes the copies that the migrations of earlier starts have left. */
export function removeCopies(path: string, migrations: readonly Migration[]) {
  for (const step of migrations.keys()) rmSync(copyOf(path, FIRST_SCHEMA + step), { force: true });
}

/** `VACUUM INTO` does not sync what it writes, so the copy gets its name only once it is complete and on the disk. */
function writeCopy(database: DatabaseSync, copy: string) {
  const part = `${copy}.part`;
  try {
    writeFileSync(part, '');
    chmodSync(part, 0o600);
    database.prepare('VACUUM INTO ?').run(part);
    writeFileSync(part, '', { flag: 'a', flush: true });
    renameSync(part, copy);
  } catch (error) {
    for (const end of ['', '-journal']) rmSync(`${part}${end}`, { force: true });
    throw new Error(`no copy can be written to ${copy} (${errorText(error)})`);
  }
}

function copyOf(path: string, schema: number): string {
  return `${realPathOf(path)}-schema-${schema}`;
}

function schemaOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
