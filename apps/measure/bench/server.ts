import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@goty/functions/sqlite-database';
import type { Nominee } from '@goty/shared/nominee';
import { newFolder, startStandalone } from '../base/homes.ts';
import { openViewers, sendLoad } from './load.ts';

const REFERENCES = join(import.meta.dirname, 'references.ts');
/** Long enough for the compiler to have seen the code. */
const WARM_MS = 1_500;
/** This process, which sends the load, is on the other one (see bench.ts). */
const SERVER_CORE = 0;

export interface ServerOptions {
  readonly name: string;
  /** Another server than GOTY: see references.ts. */
  readonly instead?: 'express' | 'bare' | 'commit-each';
  readonly games?: number;
  /** How many ballots are stored before. */
  readonly ballots?: number;
  readonly viewers?: number;
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server on a core of its own, and warms it up. In the end, it must have counted what it acknowledged. */
export async function startServer(options: ServerOptions, resources: AsyncDisposableStack) {
  const { instead, games = 8, ballots = 0, viewers = 0 } = options;
  const path = join(newFolder(), 'goty.sqlite');
  const nominees = instead === 'express' ? [] : nomineesOf(games);
  if (ballots > 0) await fillDatabase(path, nominees, ballots);
  const others = instead === undefined ? {} : { instead: [REFERENCES, instead] };
  const { child, port } = resources.use(await startStandalone({ path, nominees, ...others }));
  const pid = child.pid ?? 0;
  spawnSync('taskset', ['-acp', String(SERVER_CORE), String(pid)]);
  const server = { port, pid, path, games: nominees.map(({ id }) => id), acknowledged: ballots };
  if (nominees.length > 0) resources.defer(() => checkCounts(path, server.acknowledged));
  await sendLoad(server, 64, WARM_MS);
  if (viewers > 0) await openViewers(port, viewers);
  return server;
}

/** Every server that counts has the same tables. */
function checkCounts(path: string, acknowledged: number) {
  using database = new DatabaseSync(path);
  const sql = 'SELECT sum(votos) AS sums, (SELECT count(*) FROM ballots) AS ballots FROM goty';
  const { sums, ballots } = database.prepare(sql).get() ?? {};
  deepEqual([sums, ballots], [acknowledged, acknowledged]);
}

/** Nominees with names of usual length. */
function nomineesOf(games: number): Nominee[] {
  return Array.from({ length: games }, (_, index) => {
    const id = `game-${String(index).padStart(4, '0')}`;
    const name = `A game with a name of usual length ${index}`;
    return { id, name, url: `https://covers.example/${id}.webp` };
  });
}

/** Writes a database with that many ballots, for each nominee in turn. */
async function fillDatabase(path: string, nominees: readonly Nominee[], ballots: number) {
  await openSqliteStore({ path, firstNominees: () => nominees }).close();
  using database = new DatabaseSync(path);
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA journal_mode = OFF;
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ballots})
    INSERT INTO ballots (id, game, at)
      SELECT hex(randomblob(16)), format('game-%04d', n % ${nominees.length}), 0 FROM numbers ORDER BY 1;
    UPDATE goty SET votos = (SELECT count(*) FROM ballots WHERE game = goty.id);
    PRAGMA journal_mode = DELETE;
  `);
}
