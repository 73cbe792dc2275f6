import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile, ROOT } from '../base/report.ts';
import { type Figure, rowOf } from './figure.ts';
import { type LoadResult, openViewers, sendLoad } from './load.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

const SAMPLE_MS = 1_000;
const VIEWERS = 5_000;
/** A little more than the shortest time between two events (`countedMaxAgeMs` in standalone/standalone-home.ts). */
const INTERVAL_MS = 102;
const UNITS = { perSecond: 'votes a second', p50: 'p50 of a vote, ms', p99: 'p99 of a vote, ms' };

const GOTY: ServerOptions = { name: 'GOTY' };
const EXPRESS: ServerOptions = { name: 'Express hello', instead: 'express' };
const BARE: ServerOptions = { name: 'a bare server', instead: 'bare' };
const EACH: ServerOptions = { name: 'a commit for each request', instead: 'commit-each' };

/** What docs/performance.md tells. */
export const FIGURES = [
  votes('M1', 'perSecond', 64, [GOTY, BARE], ['≥', 0.8]),
  votes('M1', 'perSecond', 256, [GOTY, BARE], ['≥', 0.8]),
  votes('M1', 'perSecond', 64, [GOTY, EXPRESS]),
  figure({
    id: 'M2',
    what: 'syncs for 1,000 votes, 64 connections',
    subjects: [GOTY],
    goal: ['≤', 20],
    open: startServer,
    measure: syncsForVotes,
  }),
  votes('M3', 'p99', 64, [GOTY, BARE], ['≤', 1.5]),
  votes('M3', 'p50', 1, [GOTY, EACH], ['≤', 1]),
  figure({
    id: 'M4',
    what: '5,000 viewers, 10 votes a second: p99 from sending a vote to the last viewer, ms',
    subjects: [GOTY, BARE],
    goal: ['≤', 0.9],
    open: watch,
    measure: (spread) => spread(100),
  }),
  figure({
    id: 'M4',
    what: 'memory for each viewer, kB',
    subjects: [GOTY, BARE],
    goal: ['≤', 1.1],
    open: async (options) => options,
    measure: memoryOfViewer,
  }),
  keeping('M5', { name: '1,000 viewers', viewers: 1_000 }),
  figure({
    id: 'M9',
    what: 'loading the Function, ms',
    subjects: [
      { name: 'the Function', module: './index.js', use: '' },
      { name: 'an empty one', module: 'firebase-functions/v2/https', use: '.onRequest(() => {})' },
    ],
    goal: ['≤', 1.15],
    open: async (code) => code,
    measure: loadFunction,
  }),
  votes('M11', 'perSecond', 64, [{ name: '1,000 games', games: 1_000 }, GOTY], ['≥', 0.95]),
  keeping('M11', { name: '5,000,000 ballots before', ballots: 5_000_000 }),
];

function figure<Subject extends { readonly name: string }, Open>(given: Figure<Subject, Open>) {
  return { id: given.id, row: (rounds: number) => rowOf(given, rounds) };
}

/** Two servers under the same load. */
function votes(
  id: string,
  of: keyof LoadResult,
  connections: number,
  subjects: readonly [ServerOptions, ServerOptions],
  goal?: readonly ['≥' | '≤', number],
) {
  return figure({
    id,
    what: `${subjects[0].name}: ${UNITS[of]}, ${connections} connections`,
    subjects,
    ...(goal ? { goal } : {}),
    open: startServer,
    measure: async (server) => (await sendLoad(server, connections, SAMPLE_MS))[of],
  });
}

/** How much of its votes a second a server keeps under a burden. */
function keeping(id: string, burden: ServerOptions) {
  return figure({
    id,
    what: `GOTY: share of its votes a second that it keeps with ${burden.name}`,
    subjects: [GOTY, BARE],
    goal: ['≥', 0.97],
    open: async (free, resources) =>
      [
        await startServer({ ...free, ...burden }, resources),
        await startServer(free, resources),
      ] as const,
    async measure([burdened, free]) {
      const rate = async (server: Server) => (await sendLoad(server, 64, SAMPLE_MS)).perSecond;
      return (await rate(burdened)) / (await rate(free));
    },
  });
}

/**
 * How often SQLite syncs, from the files beside the database. In WAL mode with `synchronous=FULL` it does once for
 * each commit. A checkpoint syncs the log and then the database, and the first commit after it syncs the log's new
 * header, too. https://www.sqlite.org/walformat.html, https://www.sqlite.org/fileformat.html#the_write_ahead_log
 */
async function syncsForVotes(server: Server): Promise<number> {
  const syncs = () =>
    readFileSync(`${server.path}-shm`).readUInt32LE(8) +
    3 * readFileSync(`${server.path}-wal`).readUInt32BE(12);
  const before = syncs();
  const votes = server.acknowledged;
  await sendLoad(server, 64, 3 * SAMPLE_MS);
  return (1_000 * (syncs() - before)) / (server.acknowledged - votes);
}

/** Resolves with a function that sends so many votes and tells the time of the slowest hundredth. */
async function watch(options: ServerOptions, resources: AsyncDisposableStack) {
  const server = await startServer(options, resources);
  const viewers = await openViewers(server.port, VIEWERS);
  // The first game leads: games were voted for in turn, and now it gets every vote.
  let votos = Math.ceil(server.acknowledged / server.games.length);
  const spread = async (votes: number) => {
    const times: number[] = [];
    while (times.length < votes) {
      const start = performance.now();
      votos += 1;
      const seen = viewers.untilAllSee(votos);
      await sendLoad(server, 1, 0);
      await seen;
      times.push(performance.now() - start);
      await wait(Math.max(0, start + INTERVAL_MS - performance.now()));
    }
    return quantile(times, 0.99);
  };
  await spread(30);
  return spread;
}

async function memoryOfViewer(options: ServerOptions): Promise<number> {
  await using resources = new AsyncDisposableStack();
  const { pid, port } = await startServer(options, resources);
  const resident = () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1.024 * Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]);
  };
  const before = resident();
  await openViewers(port, VIEWERS);
  return (resident() - before) / VIEWERS;
}

/** How long a new process loads a module, as code of the built Function, and uses it, in milliseconds. */
async function loadFunction({ module, use }: { module: string; use: string }): Promise<number> {
  const timed = `const start = performance.now();
    (await import('${module}'))${use};
    console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', timed];
  const options = { cwd: join(ROOT, 'apps/functions/dist'), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
