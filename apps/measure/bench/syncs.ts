import { readFileSync } from 'node:fs';
import type { Sample } from './figure.ts';
import { SAMPLE_MS, sendLoad } from './load.ts';
import { startServer } from './server.ts';

const SYNCS_OF_CHECKPOINT = 3;
// https://www.sqlite.org/walformat.html#the_wal_index_header: how many commits there were.
const COMMITS_AT = 8;
// https://www.sqlite.org/fileformat.html#the_write_ahead_log: how many checkpoints there were.
const CHECKPOINTS_AT = 12;

/** M2: what votes cost on the disk. */
export async function syncsForVotes(rounds: number): Promise<Sample[]> {
  await using server = await startServer({ name: 'GOTY' });
  const before = { syncs: syncsOf(server.path), votes: server.acknowledged };
  await sendLoad(server, 64, rounds * SAMPLE_MS);
  await server.checkCounts();
  const thousands = (server.acknowledged - before.votes) / 1_000;
  return [[(syncsOf(server.path) - before.syncs) / thousands]];
}

/**
 * How often SQLite has synced, from the files beside the database. In WAL mode with `synchronous=FULL` it
 * does once for each commit. A checkpoint syncs the log and then the database, and the first commit
 * after it syncs the log's new header, too.
 */
function syncsOf(path: string): number {
  const commits = readFileSync(`${path}-shm`).readUInt32LE(COMMITS_AT);
  return commits + SYNCS_OF_CHECKPOINT * readFileSync(`${path}-wal`).readUInt32BE(CHECKPOINTS_AT);
}
