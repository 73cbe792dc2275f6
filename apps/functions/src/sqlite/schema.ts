import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../runtime/operator-error.ts';

/** 'GOTY' in ASCII: distinguishes our databases from those of other programs. */
export const APPLICATION_ID = 0x474f5459;
const SCHEMA_VERSION = 4;

/**
 * `settings.commits` is the number of the newest commit: see lock.ts. `ballots.freeze` names the freeze during which
 * a ballot was stored: it is in no sum before that has ended.
 */
const TABLES = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};

  CREATE TABLE goty (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    votos INTEGER NOT NULL CHECK (votos >= 0)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE ballots (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES goty (id),
    at INTEGER NOT NULL,
    voided INTEGER NOT NULL DEFAULT 0,
    freeze INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    opens_at INTEGER,
    closes_at INTEGER,
    commits INTEGER NOT NULL DEFAULT 0,
    frozen_at INTEGER,
    voided INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO settings (id) VALUES (1);
`;

/** Makes the tables of an empty database. To be called in a transaction. */
export function createTables(database: DatabaseSync) {
  database.exec(TABLES);
}

/**
 * Whether the database has our tables; otherwise it is empty.
 *
 * @throws OperatorError if they are those of another version of GOTY
 */
export function hasTables(database: DatabaseSync, path: string): boolean {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (version === SCHEMA_VERSION) return true;
  if (version === 0) return false;
  const [age, advice] =
    version > SCHEMA_VERSION
      ? ['a newer', 'update GOTY']
      : [
          'an older',
          `\`export\` the vote with that version, move ${path} away, and \`import\` the vote here`,
        ];
  throw new OperatorError(
    `${path} comes from ${age} version of GOTY (schema ${version}, this one knows ${SCHEMA_VERSION}): ${advice}.`,
  );
}
