import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { interleave, quantile } from '../base/statistics.ts';
import type { Sample } from './figure.ts';
import { sendLoad } from './load.ts';
import { type Server, startServer } from './server.ts';
import { openViewers } from './viewers.ts';

const VIEWERS = 5_000;
const WARM_VOTES = 30;
/** In each round. */
const VOTES = 100;
/** A little more than the shortest time between two events (live/hub.ts). */
const INTERVAL_MS = 102;

const GOTY = { name: 'GOTY' };
const BARE = { name: 'a bare server', instead: 'bare' } as const;

/** M4: how long a vote takes to reach many viewers: the slowest hundredth. */
export async function spreadToViewers(rounds: number): Promise<Sample[]> {
  await using goty = await startServer(GOTY);
  await using bare = await startServer(BARE);
  const spread = await watch(goty);
  const spreadOfBare = await watch(bare);
  await spread(WARM_VOTES);
  await spreadOfBare(WARM_VOTES);
  const samples = await interleave(rounds, [spread, spreadOfBare], (each) => each(VOTES));
  await goty.checkCounts();
  await bare.checkCounts();
  return samples;
}

/** Opens the streams. Resolves with a function that sends so many votes and tells the time of the slowest. */
async function watch(server: Server): Promise<(votes: number) => Promise<number>> {
  const viewers = await openViewers(server.port, VIEWERS);
  // The first game leads: games were voted for in turn, and now it gets every vote.
  let votos = Math.ceil(server.acknowledged / server.games.length);
  return async (votes) => {
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
}

/** M4: what each viewer costs. */
export function memoryOfViewers(rounds: number): Promise<Sample[]> {
  return interleave(rounds, [GOTY, BARE], async (options) => {
    await using server = await startServer(options);
    const before = residentKilobytes(server.pid);
    await openViewers(server.port, VIEWERS);
    return (residentKilobytes(server.pid) - before) / VIEWERS;
  });
}

function residentKilobytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1.024;
}
