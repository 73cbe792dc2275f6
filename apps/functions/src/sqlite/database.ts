import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Nominee } from '@goty/shared/nominee';
import { errorText, OperatorError } from '../runtime/operator-error.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { checkSound } from './ballots.ts';
import { enterWalMode, inTransactionNow, isBusy, openDatabase } from './connection.ts';
import {
  type Claim,
  claimDatabase,
  hasLog,
  inspectDatabaseFile,
  markOf,
  realPathOf,
} from './files.ts';
import { createSqliteStore, writeNominees } from './store.ts';
import {
  createTables,
  inspectTables,
  MIGRATIONS,
  type Migration,
  migrate,
  newestSchema,
  removeCopies,
} from './tables.ts';

interface SqliteOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string;
  /** Reads the nominees. Called only for an empty database, before anything is written. */
  readonly firstNominees: () => readonly Nominee[];
  /** The port of the server that opens the database, on this machine, where `goty status` asks for the number of viewers. */
  readonly port?: number;
  /**
   * Called with a line for the log if the database was migrated. Only a server gives this function: without it, a database of an
   * earlier version is refused, and no copy from a migration is removed.
   */
  readonly note?: (line: string) => void;
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the store for the one process that may serve or make the vote. Other processes can read the file, and write to it in
 * short transactions.
 *
 * @throws OperatorError if the file cannot be used, or the error of `firstNominees`. The votes are left unchanged.
 */
export function openSqliteStore(options: SqliteOptions): VoteStore {
  const { path, firstNominees, note, port, migrations = MIGRATIONS } = options;
  const isAbsent = inspectDatabaseFile(path) === 'absent';
  const nominees = isAbsent ? firstNominees() : undefined;
  let claim: Claim | undefined;
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Creates an empty file if there is none: the claim needs the real path, and only an existing file has one. The mode keeps
    // other users of the machine out, and SQLite gives its other files the same mode.
    closeSync(openSync(path, 'a', 0o600));
    claim = claimDatabase(realPathOf(path), port);
    const tables = isAbsent ? 'none' : verifyDatabase(path, claim.newest, migrations, checkSound);
    if (note && tables === 'current') removeCopies(path, migrations);
    if (tables === 'old') {
      if (!note) throw earlierVersion(path);
      note(migrate(path, migrations));
    }
    database = openDatabase(path);
    fillIfEmpty(database, tables === 'none', () => nominees ?? firstNominees());
    // A database that was copied here may let in browsers that were ended since, so an unclaimed database loses all its keys.
    if (claim.isFirst) database.exec('DELETE FROM desk');
    // Once the header says that there is a write-ahead log, the next start compares the mark with the newest commit.
    claim.mark(commitsOf(database));
    enterWalMode(database);
    return createSqliteStore(database, path, claim);
  } catch (error) {
    database?.close();
    claim?.release();
    throw unusable(path, error);
  }
}

/** @throws OperatorError if there is no database that this version can use */
export function openForOperator(path: string, migrations = MIGRATIONS): VoteStore {
  let database: DatabaseSync | undefined;
  try {
    const isPresent = inspectDatabaseFile(path) === 'present';
    const mark = markOf(realPathOf(path));
    const tables = isPresent ? verifyDatabase(path, mark, migrations) : 'none';
    if (tables === 'old') throw earlierVersion(path);
    if (tables === 'none') {
      throw new OperatorError(
        `There is no database ${path}: set DATABASE, or make one with \`goty init\` or \`goty import\`.`,
      );
    }
    database = openDatabase(path);
    enterWalMode(database);
    return createSqliteStore(database, path);
  } catch (error) {
    database?.close();
    throw unusable(path, error, 'wait for its end, or stop it');
  }
}

/**
 * Leaves the database's files as they are: closing a writable database would merge its write-ahead log into the file and delete
 * the log, which a repair may need. `mark` is read before the database, because a server that is running acknowledges more votes
 * meanwhile. Returns which tables there are: none after a first start that was killed.
 *
 * @throws OperatorError if this version cannot use the database, or votes that were acknowledged are missing
 */
function verifyDatabase(
  path: string,
  mark: number,
  migrations: readonly Migration[],
  check = (_database: DatabaseSync) => {},
) {
  using database = openDatabase(path, { readOnly: hasLog(path) });
  const tables = inspectTables(database, path, migrations);
  if (tables === 'none') return tables;
  // A database that was closed has left WAL mode (leaveWalMode), and a back-up was never in it. Only a database that is still in
  // WAL mode can lack commits, which are in its -wal file.
  const hasBeenOpen = database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal';
  // If the row of settings is gone, `commits` is NaN, for which `commits < mark` would be false.
  const commits = mark > 0 && hasBeenOpen ? commitsOf(database) : mark;
  if (!(commits >= mark)) {
    throw new OperatorError(
      `${path} lacks its newest votes: its last commit is number ${commits}, and number ${mark} was acknowledged. Its -wal file is missing or damaged: put the right one back, or remove ${path}-lock to go on without these votes.`,
    );
  }
  if (tables === 'old') return tables;
  // In a transaction, `check` sees one moment, even while a command writes.
  database.exec('BEGIN');
  check(database);
  return tables;
}

function commitsOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT commits FROM settings').get()?.commits);
}

/** Writes tables and nominees in one transaction: an interrupted start leaves neither. */
function fillIfEmpty(
  database: DatabaseSync,
  isNew: boolean,
  firstNominees: () => readonly Nominee[],
) {
  if (!isNew && database.prepare('SELECT 1 FROM goty LIMIT 1').get()) return;
  const nominees = firstNominees();
  inTransactionNow(database, () => {
    if (isNew) createTables(database, newestSchema(MIGRATIONS));
    writeNominees(database, nominees);
  });
}

function earlierVersion(path: string): OperatorError {
  return new OperatorError(
    `${path} comes from an earlier version of GOTY: stop its server, if one is running, and start that of this version, which brings the database up to date.`,
  );
}

function unusable(path: string, error: unknown, advice = 'stop that one first'): OperatorError {
  if (error instanceof OperatorError) return error;
  if (isBusy(error)) {
    return new OperatorError(`The database ${path} is in use by another process: ${advice}.`);
  }
  return new OperatorError(`The database ${path} cannot be used: ${errorText(error)}.`);
}
