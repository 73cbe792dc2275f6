import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startFirestore } from '../base/firestore.ts';
import { newFolder } from '../base/folder.ts';
import { median, quantile } from '../base/statistics.ts';
import { openCloud } from './cloud-load.ts';
import { syncsPerSecond } from './database.ts';
import type { Effort, Figure } from './figure.ts';
import { sendLoad } from './load.ts';
import { startServer } from './server.ts';
import { openViewers } from './viewers.ts';

// Figures without a reference: counts, and what viewers cost.

const FULL = 2;
const VIEWERS = 5_000;
const WARM_VOTES = 30;
const VOTES = 100;
/** A little more than the shortest time between two events (live/hub.ts). */
const INTERVAL_MS = 102;
const GAMES = 10;
const AT_ONCE = 1_000;

/** M2: what votes cost on the disk. */
export async function syncsForVotes({ project, rounds, ms }: Effort): Promise<Figure[]> {
  await using server = await startServer({ name: 'GOTY' }, project);
  const before = await server.syncs();
  if (before.synchronous !== FULL) throw new Error(`synchronous is ${before.synchronous}`);
  const sent = server.acknowledged;
  await sendLoad(server, { connections: 64, ms: rounds * ms });
  const after = await server.syncs();
  server.checkCounts();
  const thousands = (server.acknowledged - sent) / 1_000;
  const per = (what: 'syncs' | 'commits') => (after[what] - before[what]) / thousands;
  return [
    {
      id: 'M2',
      what: 'syncs for 1,000 votes, 64 connections',
      value: per('syncs'),
      reference: `PRAGMA synchronous: ${after.synchronous}`,
      goal: { atMost: 20 },
    },
    { id: 'M2', what: 'commits for 1,000 votes, 64 connections', value: per('commits') },
    { id: 'M2', what: 'fdatasync a second of this disk', value: syncsPerSecond(newFolder()) },
  ];
}

/** M4: how fast a vote reaches many viewers, and what each of them costs. */
export async function spreadToViewers({ project, rounds }: Effort): Promise<Figure[]> {
  const p99: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
    await using server = await startServer({ name: 'GOTY' }, project);
    const before = residentBytes(server.pid);
    const viewers = await openViewers(server.port, VIEWERS);
    const spread: number[] = [];
    // The first game leads: games were voted for in turn, and now it gets every vote.
    const votos = Math.ceil(server.acknowledged / server.games.length);
    for (let vote = 0; vote < WARM_VOTES + VOTES; vote += 1) {
      const start = performance.now();
      const seen = viewers.untilAllSee(votos + vote + 1);
      await sendLoad(server, { connections: 1, ms: 0 });
      await seen;
      spread.push(performance.now() - start);
      await wait(Math.max(0, start + INTERVAL_MS - performance.now()));
    }
    server.checkCounts();
    p99.push(quantile(spread.slice(WARM_VOTES), 0.99));
    memory.push((residentBytes(server.pid) - before) / VIEWERS / 1_000);
  }
  const what = '5,000 viewers, 10 votes a second: p99 from sending a vote to the last viewer, ms';
  return [
    { id: 'M4', what, value: median(p99), goal: { atMost: 60 } },
    { id: 'M4', what: 'memory for each, kB', value: median(memory), goal: { atMost: 15 } },
  ];
}

/** M6: what votes cost in Firestore, at an instance that has just started. */
export async function cloudWrites(): Promise<Figure[]> {
  await using firestore = await startFirestore();
  await using cloud = await openCloud(firestore.host, { games: GAMES, concurrency: 2 * AT_ONCE });
  await Promise.all(Array.from({ length: AT_ONCE }, () => cloud.vote()));
  await cloud.untilSeen();
  const figure = { id: 'M6', goal: { atMost: GAMES + 1 } };
  const what = `${AT_ONCE} votes at once for ${GAMES} games`;
  return [
    { ...figure, what: `${what}: writes of sums`, value: cloud.sumWrites() },
    { ...figure, what: `${what}: updates that a viewer got`, value: cloud.updates() },
  ];
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
