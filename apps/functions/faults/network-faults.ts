import { setTimeout as wait } from 'node:timers/promises';
import { API_PREFIX } from '@goty/shared/protocol';
import { headOf, openConnections } from './connections.ts';
import { check, type Scenario, type Scene, until } from './scenario.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';

const BODY = '{"a": "bcdefghijkl"}';
const LEAVERS_AT_ONCE = 500;

/** What can happen on the way to the server. */
export const NETWORK_FAULTS: readonly Scenario[] = [
  standalone({
    fault: 'reset in the middle of the body',
    promise: 'V2: a vote that has not arrived does not count',
    async inject({ home, votes, scale }) {
      for (let sent = 0; sent < scale.connections; sent += 1) {
        const { sockets } = await openConnections(
          home.port,
          1,
          headOf(votes.newKey(), BODY.length) + BODY.slice(0, 10),
        );
        sockets[0]?.resetAndDestroy();
      }
      const { sent } = votes.counts();
      const votos = await home.use(async (store) => (await store.games())[0]?.votos);
      check(sent === scale.connections && votos === 0, 'none of them counts');
    },
  }),
  standalone({
    fault: 'reset after sending',
    promise: 'V2, V3: it may count, and does once when it is sent again',
    async inject({ home, votes, scale }) {
      for (let sent = 0; sent < scale.connections; sent += 1) {
        const { sockets } = await openConnections(
          home.port,
          1,
          headOf(votes.newKey(), BODY.length) + BODY,
        );
        // From too early to too late for the reply.
        await wait(sent % 6);
        sockets[0]?.resetAndDestroy();
      }
    },
  }),
  standalone({
    fault: 'requests a byte at a time (slowloris)',
    promise: 'B12: they are closed within 11 s, and votes count meanwhile',
    async inject(scene) {
      const { sockets, closed } = await openConnections(
        scene.home.port,
        scene.scale.connections,
        'POST /api/goty/a HTTP/1.1\r\nX: ',
      );
      const drip = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write('x');
      }, 1_000);
      await pourUntil(scene, () => closed() === sockets.length);
      clearInterval(drip);
    },
  }),
  standalone({
    fault: 'headers without a body',
    promise: 'B12: they are closed within 11 s, and votes count meanwhile',
    async inject(scene) {
      const { home, votes, scale } = scene;
      const { sockets, closed } = await openConnections(
        home.port,
        scale.connections,
        headOf(votes.newKey(), BODY.length),
      );
      await pourUntil(scene, () => closed() === sockets.length);
    },
  }),
  standalone({
    fault: 'idle connections',
    promise: 'V2: votes count meanwhile',
    async inject(scene) {
      const connections = await openConnections(scene.home.port, scene.scale.idle);
      const opened = performance.now();
      await pourUntil(scene, () => performance.now() - opened > scene.scale.loadMs);
      connections.close();
    },
  }),
  standalone({
    fault: 'streams that nobody reads',
    promise: 'L4, L5: votes count meanwhile, and readers get the standings',
    async inject(scene) {
      const { home, scale } = scene;
      const connections = await openConnections(
        home.port,
        scale.connections,
        `GET ${API_PREFIX}/goty/live HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      );
      for (const socket of connections.sockets) socket.pause();
      const opened = performance.now();
      await pourUntil(scene, () => performance.now() - opened > scale.loadMs);
      connections.close();
    },
  }),
  standalone({
    fault: 'connections that leave at once',
    promise: 'V2: votes count meanwhile',
    async inject(scene) {
      let left = 0;
      const leaving = (async () => {
        while (left < scene.scale.leavers) {
          const { sockets } = await openConnections(scene.home.port, LEAVERS_AT_ONCE);
          // A reset: closed politely, their ports would be used up.
          for (const socket of sockets) socket.resetAndDestroy();
          left += sockets.length;
        }
      })();
      await pourUntil(scene, () => left >= scene.scale.leavers);
      await leaving;
    },
  }),
];

/** Sends votes until `isOver`, and checks that they count meanwhile. */
async function pourUntil({ votes }: Scene<StandaloneHome>, isOver: () => boolean) {
  const { acknowledged } = votes.counts();
  const stop = votes.pour(32);
  await until(isOver, 'the fault is over');
  check(votes.counts().acknowledged > acknowledged, 'votes count meanwhile');
  await stop();
}
