import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../base/statistics.ts';
import type { Sample } from './figure.ts';
import { sendLoad } from './load.ts';
import { startServer } from './server.ts';
import { openViewers } from './viewers.ts';

const VIEWERS = 5_000;
const WARM_VOTES = 30;
/** In each round. */
const VOTES = 100;
/** A little more than the shortest time between two events (live/hub.ts). */
const INTERVAL_MS = 102;

/** M4: how long a vote takes to reach many viewers: the slowest hundredth. */
export async function spreadToViewers(rounds: number): Promise<Sample[]> {
  await using server = await startServer({ name: 'GOTY' });
  const viewers = await openViewers(server.port, VIEWERS);
  const times: number[] = [];
  // The first game leads: games were voted for in turn, and now it gets every vote.
  const votos = Math.ceil(server.acknowledged / server.games.length);
  for (let vote = 0; vote < WARM_VOTES + rounds * VOTES; vote += 1) {
    const start = performance.now();
    const seen = viewers.untilAllSee(votos + vote + 1);
    await sendLoad(server, 1, 0);
    await seen;
    times.push(performance.now() - start);
    await wait(Math.max(0, start + INTERVAL_MS - performance.now()));
  }
  await server.checkCounts();
  return [[quantile(times.slice(WARM_VOTES), 0.99)]];
}

/** M4: what each viewer costs. */
export async function memoryOfViewers(): Promise<Sample[]> {
  await using server = await startServer({ name: 'GOTY' });
  const before = residentKilobytes(server.pid);
  await openViewers(server.port, VIEWERS);
  return [[(residentKilobytes(server.pid) - before) / VIEWERS]];
}

function residentKilobytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1.024;
}
