import { renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../runtime/operator-error.ts';
import { type Claim, claimDatabase } from './lock.ts';
import { inTransactionNow, isBusy } from './transaction.ts';

/** 'GOTY' in ASCII: distinguishes our databases from those of other programs. */
export const APPLICATION_ID = 0x474f5459;

/** The steps that lead from each version of the schema to the next. A released step is never changed. */
const STEPS = [
  `
  CREATE TABLE goty (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    votos INTEGER NOT NULL CHECK (votos >= 0)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE ballots (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES goty (id),
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  PRAGMA application_id = ${APPLICATION_ID};
  `,
  `
  CREATE TABLE settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    opens_at INTEGER,
    closes_at INTEGER
  ) STRICT;
  INSERT INTO settings (id) VALUES (1);
  `,
  // The number of the newest commit: see lock.ts.
  'ALTER TABLE settings ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;',
  // `freeze` names the freeze during which a ballot was stored: it is in no sum before that has ended.
  `
  ALTER TABLE settings ADD COLUMN frozen_at INTEGER;
  ALTER TABLE ballots ADD COLUMN voided INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ballots ADD COLUMN freeze INTEGER;
  ALTER TABLE settings ADD COLUMN voided INTEGER NOT NULL DEFAULT 0;
  `,
];
const SCHEMA_VERSION = STEPS.length;
/** The first version whose ballots may be voided or held. */
export const MARKED_SINCE = 4;
/** The first version whose commits have numbers. */
export const NUMBERED_SINCE = 3;

/** @throws OperatorError if the schema is newer than this version of GOTY knows */
export function checkVersion(path: string, version: number) {
  if (version <= SCHEMA_VERSION) return;
  throw new OperatorError(
    `${path} comes from a newer version of GOTY (schema ${version}, this one knows ${SCHEMA_VERSION}): update GOTY.`,
  );
}

/** The version of a database's schema; 0 if it is empty. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Brings an older schema to the newest version in one transaction, after a back-up beside the
 * database: `….schema-1` for one of version 1. Only for the process that has the claim.
 *
 * @param migrated called with the path of the back-up, if there was something to do
 */
export function migrate(database: DatabaseSync, migrated?: (backup: string) => void) {
  const version = schemaVersion(database);
  if (version >= SCHEMA_VERSION) return;
  const backup = `${database.location()}.schema-${version}`;
  const part = `${backup}.${process.pid}`;
  try {
    rmSync(part, { force: true });
    database.prepare('VACUUM INTO ?').run(part);
    inTransactionNow(database, () => {
      // The back-up of a migration that was interrupted has the same votes.
      renameSync(part, backup);
      applySteps(database, version);
    });
    migrated?.(backup);
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * The same while no server is running: an older one could not start again.
 *
 * @param path the database's real path
 * @throws OperatorError if one is running
 */
export function migrateAlone(
  database: DatabaseSync,
  path: string,
  migrated?: (backup: string) => void,
) {
  if (schemaVersion(database) >= SCHEMA_VERSION) return;
  let claim: Claim;
  try {
    claim = claimDatabase(path);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new OperatorError(
      `${path} comes from an older version of GOTY, whose server is running. Nothing was changed: stop it, and start this version first.`,
    );
  }
  try {
    migrate(database, migrated);
  } finally {
    claim.release();
  }
}

/**
 * Brings a schema of version `from` to the newest one; 0 is an empty database. To be called in a
 * transaction.
 */
export function applySteps(database: DatabaseSync, from: number) {
  for (const step of STEPS.slice(from)) database.exec(step);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
