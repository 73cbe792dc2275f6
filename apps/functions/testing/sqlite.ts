import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildNominee } from '@goty/shared/testing/nominee';
import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../src/sqlite/database.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { testFolder } from './folder.ts';

/** The nominee of a new database. */
export const NOMINEE = buildNominee({ id: 'a' });

/** Where a database of the running test may be, and its folder. */
export function testDatabase() {
  const folder = testFolder();
  return { folder, path: join(folder, 'goty.sqlite') };
}

/** Opens the store in that file as a server does, for the running test. */
export function openServerStore(path: string, firstNominees = () => [NOMINEE]): VoteStore {
  const store = openSqliteStore({ path, firstNominees, note() {} });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** Calls `work` with the database of a closed store. */
export function onFile<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  using database = new DatabaseSync(path);
  return work(database);
}

/** All files but the claim, which has no votes, and SQLite's index of the log, which it can make again. */
export function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !/-(lock|shm)$/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
}
