import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openForOperator, openSqliteStore } from '@goty/functions/sqlite-database';
import type { Nominee } from '@goty/shared/nominee';
import { newFolder } from '../base/folder.ts';
import { databaseIn, nomineesOf, startStandalone } from '../base/standalone.ts';
import { checkTally } from '../base/tally.ts';
import { sendLoad } from './load.ts';
import { openViewers } from './viewers.ts';

const REFERENCES = join(import.meta.dirname, 'references.ts');
/** Long enough for the compiler to have seen the code. */
const WARM_MS = 1_500;
/** This process, which sends the load, is on the other one (see bench.ts). */
const SERVER_CORE = 0;

export interface ServerOptions {
  /** As tables call it. */
  readonly name: string;
  /** Another server than GOTY: see references.ts. */
  readonly instead?: 'express' | 'bare' | 'commit-each';
  readonly games?: number;
  /** How many ballots are stored before. */
  readonly ballots?: number;
  /** How many open streams there are. */
  readonly viewers?: number;
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server on a core of its own, and warms it up. */
export async function startServer(options: ServerOptions) {
  const { instead, games = 8, ballots = 0, viewers = 0 } = options;
  const folder = newFolder();
  const path = databaseIn(folder);
  const nominees = instead === 'express' ? [] : nomineesOf(games);
  if (ballots > 0) await fillDatabase(path, nominees, ballots);
  const program = await startStandalone({
    folder,
    nominees,
    ...(instead === undefined ? {} : { instead: [REFERENCES, instead] }),
  });
  const pid = program.child.pid ?? 0;
  spawnSync('taskset', ['-acp', String(SERVER_CORE), String(pid)]);
  const server = {
    port: Number(new URL(program.address).port),
    pid,
    /** Its database. */
    path,
    /** The games to vote for; none if it only says 'hello'. */
    games: nominees.map(({ id }) => id),
    /** Votes that it has acknowledged. */
    acknowledged: ballots,
    /** Rejects if what is stored is not exactly those votes. */
    async checkCounts(): Promise<void> {
      if (nominees.length === 0) return;
      if (instead === 'bare') return checkBare(path, server.acknowledged);
      const store = openForOperator(path);
      await checkTally(store, server.acknowledged).finally(store.close);
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
  await sendLoad(server, 64, WARM_MS);
  if (viewers > 0) await openViewers(server.port, viewers);
  return server;
}

function checkBare(path: string, acknowledged: number) {
  const database = new DatabaseSync(path);
  const { sums, ballots } =
    database
      .prepare('SELECT sum(votos) AS sums, (SELECT count(*) FROM ballots) AS ballots FROM goty')
      .get() ?? {};
  database.close();
  deepEqual([sums, ballots], [acknowledged, acknowledged]);
}

/** Writes a database with that many ballots, for each nominee in turn. */
async function fillDatabase(path: string, nominees: readonly Nominee[], ballots: number) {
  await openSqliteStore({ path, firstNominees: () => nominees }).close();
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA journal_mode = OFF;
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ballots})
    INSERT INTO ballots (id, game, at)
      SELECT hex(randomblob(16)), format('game-%04d', n % ${nominees.length}), 0 FROM numbers ORDER BY 1;
    UPDATE goty SET votos = (SELECT count(*) FROM ballots WHERE game = goty.id);
    PRAGMA journal_mode = DELETE;
  `);
  database.close();
}
