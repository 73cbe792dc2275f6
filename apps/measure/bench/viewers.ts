import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { quantile } from '../base/statistics.ts';
import type { Sample } from './figure.ts';
import { sendLoad } from './load.ts';
import { startServer } from './server.ts';

const VIEWERS = 5_000;
const WARM_VOTES = 30;
/** In each round. */
const VOTES = 100;
/** A little more than the shortest time between two events (live/hub.ts). */
const INTERVAL_MS = 102;

/** As many as the server allows for one address (http/limit-streams.ts). */
const PER_ADDRESS = 500;
/** Connections that are opened at once: fewer than a server's backlog. */
const BATCH = 100;
const LATE_MS = 5_000;

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

/** Opens event streams. Resolves once each has got its first standings. */
export async function openViewers(port: number, count: number) {
  let wanted = Buffer.from('');
  let arrived = 0;
  let arrive = () => {};
  for (let opened = 0; opened < count; opened += BATCH) {
    const size = Math.min(BATCH, count - opened);
    await Promise.all(Array.from({ length: size }, (_, index) => open(opened + index)));
  }
  return {
    /** Resolves once each has got an event with that many votes for a game. Rejects after 5 s. */
    untilAllSee(votos: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = setTimeout(
        () => reject(new Error('a vote did not reach every viewer')),
        LATE_MS,
      );
      wanted = Buffer.from(`"votos":${votos}}`);
      arrived = 0;
      arrive = () => {
        arrived += 1;
        if (arrived === count) resolve();
      };
      return promise.finally(() => clearTimeout(late));
    },
  };

  async function open(viewer: number) {
    // All of 127/8 is this machine's.
    const localAddress = `127.0.0.${2 + Math.floor(viewer / PER_ADDRESS)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    socket.write(`GET ${API_PREFIX}${API_PATHS.live} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    let answer = '';
    while (!answer.includes('"votos":')) answer += String((await once(socket, 'data'))[0]);
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected answer: ${answer}`);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (arrived < count && chunk.includes(wanted)) arrive();
    });
  }
}
