import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newFolder } from '../base/folder.ts';
import { databaseIn, nomineesOf, startStandalone } from '../base/standalone.ts';
import { fillDatabase } from './database.ts';
import { sendLoad } from './load.ts';
import { openViewers } from './viewers.ts';

const SERVERS = join(import.meta.dirname, 'servers.ts');
const PRELOAD = new URL('../base/preload.ts?syncs', import.meta.url).href;
/** Long enough for the compiler to have seen the code. */
const WARM_MS = 1_500;
/** This process, which sends the load, is on the other one (see bench.ts). */
const SERVER_CORE = 0;

export interface ServerOptions {
  /** As tables call it. */
  readonly name: string;
  /** Another server than GOTY: see servers.ts. */
  readonly instead?: 'http' | 'express' | 'commit-each' | 'bare';
  readonly games?: number;
  /** How many ballots are stored before. */
  readonly ballots?: number;
  /** How many open streams there are. */
  readonly viewers?: number;
}

/** A server on a core of its own, that has been warmed up. */
export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** The games to vote for; none if it only says 'hello'. */
  readonly games: readonly string[];
  /** Votes that it has acknowledged. */
  acknowledged: number;
  /** What SQLite has done so far: see preload.ts. */
  syncs(): Promise<Syncs>;
  /** @throws if what is stored is not exactly the votes that it has acknowledged */
  checkCounts(): void;
}

interface Syncs {
  /** Of the connection that commits: 2 is FULL. */
  readonly synchronous: number;
  readonly commits: number;
  readonly syncs: number;
}

/** @param project the folder of the checkout to measure; of an older version, for instance */
export async function startServer(options: ServerOptions, project: string): Promise<Server> {
  const { instead, games = 8, ballots = 0, viewers = 0 } = options;
  const folder = newFolder();
  const path = databaseIn(folder);
  const saysHello = instead === 'http' || instead === 'express';
  const nominees = saysHello ? [] : nomineesOf(games);
  if (ballots > 0) await fillDatabase(path, nominees, ballots);
  const program = await startStandalone({
    folder,
    nominees,
    project,
    flags: ['--import', PRELOAD],
    shell: `taskset -cp ${SERVER_CORE} $$ > /dev/null`,
    ...(instead === undefined ? {} : { instead: [SERVERS, instead] }),
  });
  const { child } = program;
  const server: Server = {
    port: Number(new URL(program.address).port),
    pid: child.pid ?? 0,
    games: nominees.map(({ id }) => id),
    acknowledged: ballots,
    async syncs() {
      const reply = once(child, 'message');
      child.send('syncs');
      return (await reply)[0];
    },
    checkCounts() {
      if (saysHello) return;
      const { counted, stored } = tally(path);
      if (counted === server.acknowledged && stored === counted) return;
      throw new Error(
        `${server.acknowledged} votes were acknowledged, ${counted} counted, ${stored} stored`,
      );
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
  await sendLoad(server, { connections: 64, ms: WARM_MS });
  if (viewers > 0) await openViewers(server.port, viewers);
  return server;
}

/** Reads the database beside the server. */
function tally(path: string) {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const { counted, stored } =
    database
      .prepare(
        'SELECT (SELECT sum(votos) FROM goty) AS counted, (SELECT count(*) FROM ballots) AS stored',
      )
      .get() ?? {};
  database.close();
  return { counted, stored };
}
