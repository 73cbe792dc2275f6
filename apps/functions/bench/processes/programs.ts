import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Nominee } from '@goty/shared/nominee';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { type Client, startClient } from './client.ts';
import { endPinned, folder, SERVER_CORE, startPinned } from './pinned.ts';
import type { Server } from './server.ts';

// The servers of a measurement, and the clients that are started beside them.

const SERVERS = join(import.meta.dirname, 'servers.ts');
const COUNT_SYNCS = join(import.meta.dirname, 'count-syncs.ts');
/** Long enough for the compiler to have seen the code. */
const WARM_MS = 1_500;

/** Starts processes that end with the block of the caller. */
export function using() {
  const started: { stop(): Promise<void> }[] = [];
  const keep = <Started extends { stop(): Promise<void> }>(one: Started) => {
    started.push(one);
    return one;
  };
  return {
    client: () => keep(startClient()),
    home: async (options: HomeOptions) => keep(await startHome(options)),
    reference: async (name: 'http' | 'express') => keep(await startReference(name)),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.stop()));
    },
  };
}

/** Starts a reference server. */
async function startReference(name: 'http' | 'express'): Promise<Server> {
  return startServer([SERVERS, name], {}, []);
}

interface HomeOptions {
  /** The project's folder; an older version can be compared. */
  readonly project: string;
  readonly games?: number;
  /** A database to use; without one, an empty one. */
  readonly database?: string;
  /** Another server instead: with a commit for each vote, or with nothing but the commit. */
  readonly instead?: 'commit-each' | 'bare-votes';
  readonly profile?: string;
}

/** Starts the standalone home as `pnpm start` does, without a limit for an address. */
async function startHome(options: HomeOptions): Promise<Server> {
  const { project, games = 8, instead, profile } = options;
  const nominees = nomineesOf(games);
  const own = mkdtempSync(join(folder, 'home-'));
  const NOMINEES = join(own, 'nominees.json');
  writeFileSync(NOMINEES, JSON.stringify(nominees));
  const entry =
    instead === undefined
      ? [join(project, 'apps/functions/src/standalone.ts')]
      : [SERVERS, instead];
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const env = {
    NOMINEES,
    DATABASE: options.database ?? join(own, 'goty.sqlite'),
    PORT: '0',
    HOST: '127.0.0.1',
    VOTES_PER_MINUTE: '0',
  };
  return startServer(
    [...flags, '--import', COUNT_SYNCS, ...entry],
    env,
    nominees.map(({ id }) => id),
  );
}

export function nomineesOf(games: number): Nominee[] {
  return Array.from({ length: games }, (_, index) => {
    const id = `game-${String(index).padStart(4, '0')}`;
    return {
      id,
      name: `A game with a name of usual length ${index}`,
      url: `https://covers.example/${id}.webp`,
    };
  });
}

async function startServer(
  args: readonly string[],
  env: Record<string, string>,
  games: readonly string[],
): Promise<Server> {
  const child = startPinned(SERVER_CORE, args, env);
  const { stdout, pid } = child;
  if (!stdout || pid === undefined) throw new Error('the server did not start');
  const lines = createInterface(stdout);
  const exited = once(child, 'exit').then(() => {
    throw new Error('a server has ended');
  });
  exited.catch(() => {});
  const [line] = await Promise.race([once(lines, 'line'), exited]);
  const port = Number(/http:\/\/[^:]+:(\d+)/.exec(String(line))?.[1]);
  const server: Server = {
    port,
    games,
    pid,
    acknowledged: 0,
    counted: games.length === 0 ? 0 : await countedAt(port),
    async syncs() {
      const reply = once(child, 'message');
      child.send('syncs');
      return (await reply)[0];
    },
    stop: () => endPinned(child),
  };
  return server;
}

/** Lets the compiler see the code of a server. */
export async function warmUp(client: Client, server: Server) {
  await client.send(server, { connections: 64, ms: WARM_MS });
}

/** @throws if the server has not counted exactly the votes that it has acknowledged */
export async function checkCounts(server: Server) {
  const counted = (await countedAt(server.port)) - server.counted;
  if (counted === server.acknowledged) return;
  throw new Error(`${counted} votes were counted, ${server.acknowledged} acknowledged`);
}

/** All votes, from the first event of the live stream. */
async function countedAt(port: number): Promise<number> {
  const [response] = await once(
    get({ port, host: '127.0.0.1', path: `${API_PREFIX}${API_PATHS.live}`, agent: false }),
    'response',
  );
  let stream = '';
  for await (const chunk of response.setEncoding('utf8')) {
    stream += chunk;
    if (/^data: .*\n\n/m.test(stream)) break;
  }
  return [...stream.matchAll(/"votos":(\d+)/g)].reduce((sum, [, votos]) => sum + Number(votos), 0);
}
