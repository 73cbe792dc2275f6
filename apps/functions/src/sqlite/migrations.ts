import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorText, OperatorError } from '../runtime/operator-error.ts';
import { inTransactionNow, isBusy, openDatabase } from './connection.ts';
import { realPathOf } from './files.ts';

// Each schema brings the step to it from the one before, so that a server opens what earlier versions have left.

/**
 * Changes the tables of one schema, and what is in them, to those of the next, in a transaction without foreign keys.
 * `settings` has `commits` in every schema: a start compares it with the mark before it changes anything.
 */
export type Migration = (database: DatabaseSync) => void;

/** That of version 1.0.0. */
const FIRST_SCHEMA = 8;

/**
 * The first step leads from schema 8 to 9. Whoever adds one changes the tables in connection.ts, too, and adds the files
 * that testing/votes/README.md names.
 */
export const MIGRATIONS: readonly Migration[] = [];

/** The schema to which these steps lead. */
export function newestSchema(migrations: readonly Migration[]): number {
  return FIRST_SCHEMA + migrations.length;
}

/**
 * Says whether a database has no tables, those of this version, or older ones that can be migrated.
 *
 * @throws OperatorError if its tables are those of a newer version, or of one before 1.0.0
 */
export function inspectTables(
  database: DatabaseSync,
  path: string,
  migrations: readonly Migration[],
): 'none' | 'current' | 'old' {
  const [schema, newest] = [schemaOf(database), newestSchema(migrations)];
  if (schema === 0) return 'none';
  if (schema === newest) return 'current';
  if (schema >= FIRST_SCHEMA && schema < newest) return 'old';
  const [age, advice] =
    schema > newest
      ? ['a newer', 'update GOTY']
      : [
          'an older',
          `\`export\` the vote with that version, move ${path} away, and \`import\` the vote here`,
        ];
  throw new OperatorError(
    `${path} comes from ${age} version of GOTY (schema ${schema}, this one knows ${newest}): ${advice}.`,
  );
}

/**
 * Brings an old database to the newest schema, in one transaction, after a copy beside it. Whoever is killed meanwhile
 * leaves the old or the new one.
 *
 * @returns a line that says so
 * @throws SQLITE_BUSY if another process has the database open, OperatorError if it stays as it was for another reason
 */
export function migrate(path: string, migrations: readonly Migration[]): string {
  const newest = newestSchema(migrations);
  const database = openDatabase(path, { enableForeignKeyConstraints: false });
  const schema = schemaOf(database);
  const copy = copyOf(path, schema);
  try {
    // In this mode the lock is kept between transactions: nobody reads or writes what an older version has open.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    writeCopy(database, path, copy);
    inTransactionNow(database, () => {
      for (const step of migrations.slice(schema - FIRST_SCHEMA)) step(database);
      database.exec(`PRAGMA user_version = ${newest}`);
    });
    return `${path} was brought from schema ${schema} to ${newest}. ${copy} is what it was before, until the next start.`;
  } catch (error) {
    if (isBusy(error)) throw error;
    throw new OperatorError(
      `${path} cannot be brought from schema ${schema} to ${newest}, and is as it was: ${errorText(error)}.`,
    );
  } finally {
    database.close();
  }
}

/** Removes what the start before has kept. */
export function removeCopies(path: string, migrations: readonly Migration[]) {
  for (let schema = FIRST_SCHEMA; schema < newestSchema(migrations); schema += 1)
    rmSync(copyOf(path, schema), { force: true });
}

/** A copy appears under its name once it is complete and on the disk. SQLite does not sync it, and needs an empty file. */
function writeCopy(database: DatabaseSync, path: string, copy: string) {
  const part = `${copy}.part`;
  try {
    writeFileSync(part, '', { mode: statSync(path).mode });
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
