import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/sqlite/database.ts';
import { nomineesOf } from './processes/programs.ts';

const TRY_MS = 1_000;
/** What a group of 64 votes writes, about. */
const SYNCED_BYTES = 256 * 1_024;

/** Writes a database with that many ballots, for the games of a server with eight. */
export async function fillDatabase(path: string, count: number) {
  const nominees = nomineesOf(8);
  await openSqliteStore({ path, firstNominees: () => nominees }).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN');
  const insert = database.prepare('INSERT INTO ballots (id, game, at) VALUES (?, ?, ?)');
  const add = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  // Not `randomUUID`, of which ten million do not fit into the heap.
  const ids = Array.from({ length: count }, () => randomBytes(16).toString('hex')).sort();
  ids.forEach((id, index) => {
    insert.run(id, nominees[index % nominees.length]?.id ?? '', 0);
  });
  for (const { id } of nominees) add.run(count / nominees.length, id);
  database.exec('COMMIT; PRAGMA journal_mode = DELETE');
  database.close();
}

/** How often the disk can sync what a group of votes writes, one after the other. */
export function syncsPerSecond(folder: string): number {
  const file = openSync(join(folder, 'syncs'), 'w');
  const bytes = Buffer.alloc(SYNCED_BYTES);
  const start = performance.now();
  let syncs = 0;
  for (; performance.now() - start < TRY_MS; syncs += 1) {
    writeSync(file, bytes, 0, bytes.length, (syncs % 16) * bytes.length);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (syncs / (performance.now() - start)) * 1_000;
}
