import { setTimeout as wait } from 'node:timers/promises';
import { API_PREFIX } from '@goty/shared/protocol';
import { headOf, openConnections } from './connections.ts';
import type { Scene } from './scenario.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';
import { check, until } from './until.ts';

const BODY = '{"a": "bcdefghijkl"}';
const LEAVERS_AT_ONCE = 500;

/** What can happen on the way to the server. */
export const NETWORK_FAULTS = [
  standalone({
    fault: 'reset in the middle of the body',
    promise: 'V2: a vote that has not arrived does not count',
    async inject(scene) {
      await sendAndReset(scene, BODY.slice(0, 10), () => 0);
      const [game] = await scene.home.use((store) => store.games());
      check(game?.votos === 0, 'none of them counts');
    },
  }),
  standalone({
    fault: 'reset after sending',
    promise: 'V2, V3: it may count, and does once when it is sent again',
    // From too early to too late for the reply.
    inject: (scene) => sendAndReset(scene, BODY, (sent) => sent % 6),
  }),
  standalone({
    fault: 'requests a byte at a time (slowloris)',
    promise: 'B12: they are closed within 11 s, and votes count meanwhile',
    pour: 32,
    async inject({ home, votes, scale }) {
      const head = 'POST /api/goty/a HTTP/1.1\r\nX: ';
      const sockets = await openConnections(home.port, scale.connections, head);
      const drip = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write('x');
      }, 1_000);
      await until(() => sockets.every(({ closed }) => closed), 'they are closed');
      clearInterval(drip);
      await votes.untilCounted();
    },
  }),
  standalone({
    fault: 'headers without a body',
    promise: 'B12: they are closed within 11 s, and votes count meanwhile',
    pour: 32,
    async inject({ home, votes, scale }) {
      const head = headOf(votes.newKey(), BODY.length);
      const sockets = await openConnections(home.port, scale.connections, head);
      await until(() => sockets.every(({ closed }) => closed), 'they are closed');
      await votes.untilCounted();
    },
  }),
  standalone({
    fault: 'idle connections',
    promise: 'V2: votes count meanwhile',
    pour: 32,
    async inject({ home, votes, scale }) {
      const sockets = await openConnections(home.port, scale.idle);
      await votes.untilCounted();
      await wait(scale.loadMs);
      for (const socket of sockets) socket.destroy();
    },
  }),
  standalone({
    fault: 'streams that nobody reads',
    promise: 'L4, L5: votes count meanwhile, and readers get the standings',
    pour: 32,
    async inject({ home, votes, scale }) {
      const head = `GET ${API_PREFIX}/goty/live HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const sockets = await openConnections(home.port, scale.connections, head);
      for (const socket of sockets) socket.pause();
      await votes.untilCounted();
      await wait(scale.loadMs);
      for (const socket of sockets) socket.destroy();
    },
  }),
  standalone({
    fault: 'connections that leave at once',
    promise: 'V2: votes count meanwhile',
    pour: 32,
    async inject({ home, votes, scale }) {
      for (let left = 0; left < scale.leavers; left += LEAVERS_AT_ONCE) {
        const sockets = await openConnections(home.port, LEAVERS_AT_ONCE);
        // A reset: closed politely, their ports would be used up.
        for (const socket of sockets) socket.resetAndDestroy();
      }
      await votes.untilCounted();
    },
  }),
];

/** Sends votes with that body one by one, and resets each connection after a pause. */
async function sendAndReset(
  { home, votes, scale }: Scene<StandaloneHome>,
  body: string,
  pauseMs: (sent: number) => number,
) {
  for (let sent = 0; sent < scale.connections; sent += 1) {
    const bytes = headOf(votes.newKey(), BODY.length) + body;
    const [socket] = await openConnections(home.port, 1, bytes);
    await wait(pauseMs(sent));
    socket?.resetAndDestroy();
  }
}
