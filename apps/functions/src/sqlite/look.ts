import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { OperatorError } from '../runtime/operator-error.ts';
import { hasLog } from './file.ts';
import { recount } from './recount.ts';
import { checkVersion, NUMBERED_SINCE, schemaVersion } from './schema.ts';
import { BUSY_MS } from './transaction.ts';

export function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS, ...options });
  // A recount of many votes sorts them. SQLite would do that in a temporary file, but there may be no
  // other folder that it can write to.
  database.exec('PRAGMA temp_store = MEMORY');
  return database;
}

/**
 * Calls `check` with the database, and leaves its files as they are: closing one that may be written
 * would merge its write-ahead log into the file and delete it, and a repair may need it.
 *
 * @param mark the number of the newest commit that was acknowledged, read before: a server that is
 *   running acknowledges more votes meanwhile
 * @throws OperatorError if votes that were acknowledged are missing
 */
export function lookInto(path: string, mark: number, check = (_database: DatabaseSync) => {}) {
  const database = openDatabase(path, { readOnly: hasLog(path) });
  try {
    const version = schemaVersion(database);
    checkVersion(path, version);
    // A first start that was killed has left nothing.
    if (version === 0) return;
    const hasBeenOpen = database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal';
    // Otherwise it was closed, or is a back-up that was put here.
    const hasNumbers = version >= NUMBERED_SINCE && hasBeenOpen;
    // NaN if the row of settings is gone.
    const commits = mark > 0 && hasNumbers ? commitsOf(database) : mark;
    if (!(commits >= mark)) {
      throw new OperatorError(
        `${path} lacks its newest votes: its last commit is number ${commits}, and number ${mark} was acknowledged. Its -wal file is missing or damaged: put the right one back, or remove ${path}-lock to go on without these votes.`,
      );
    }
    check(database);
  } finally {
    database.close();
  }
}

export function commitsOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT commits FROM settings').get()?.commits);
}

/** @throws if the file is corrupt, or a sum is not the number of its ballots */
export function checkSound(database: DatabaseSync) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  const wrong = recount(database).find(
    ({ exists, votos, ballots, held }) => !exists || votos !== ballots - held,
  );
  if (wrong) {
    throw new Error(
      `${wrong.game} has ${wrong.votos ?? 'no'} votes, but ${wrong.ballots - wrong.held} ballots: \`goty audit\` shows more, \`goty audit --repair\` mends it`,
    );
  }
}
