import { ok } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { API_PREFIX } from '@goty/shared/protocol';
import { headOfVote, STREAM_HEAD } from '../base/request.ts';
import { tally } from '../base/tally.ts';
import { lock, openConnections, REPLAYS } from './injectors.ts';
import type { Fault, Scene } from './scenario.ts';
import type { StandaloneHome } from './standalone-home.ts';
import { until } from './until.ts';
import { GAME } from './votes.ts';

const BODY = '{"a": "bcdefghijkl"}';
const UNFINISHED_HEAD = `POST ${API_PREFIX}/goty/a HTTP/1.1\r\nX: `;
/** More than may wait, and fewer than the descriptors of this process. */
const TOO_MANY = 11_500;

/** What can happen on the way to the standalone home. */
export const NETWORK_FAULTS: readonly Fault<StandaloneHome>[] = [
  {
    fault: 'connections cut in the middle of a vote, and after it',
    promise: 'V2, V3: half a vote does not count, a whole one may, and once when it is sent again',
    async inject(scene) {
      await sendAndReset(scene, BODY.slice(0, 10));
      const { counted } = await scene.home.use(tally);
      ok(counted === 0, 'half a vote does not count');
      await sendAndReset(scene, BODY);
    },
  },
  {
    fault: 'slow clients: heads a byte at a time, no bodies, streams that nobody reads',
    promise: 'B12: requests are closed within 11 s; V2, L4: votes count meanwhile',
    pour: 32,
    async inject({ home, votes, scale }) {
      const bodiless = headOfVote(GAME, votes.newKey(), BODY.length);
      const heads = await openConnections(home.port, scale.connections, UNFINISHED_HEAD);
      const requests = await openConnections(home.port, scale.connections, bodiless);
      const streams = await openConnections(home.port, scale.connections, STREAM_HEAD);
      for (const stream of streams) stream.pause();
      const drip = setInterval(() => {
        for (const socket of heads) if (socket.writable) socket.write('x');
      }, 1_000);
      const isOver = () => [...heads, ...requests].every(({ closed }) => closed);
      await until(isOver, 'they are closed').finally(() => clearInterval(drip));
      await votes.untilCounted();
      for (const stream of streams) stream.destroy();
    },
  },
  REPLAYS,
  {
    fault: 'more votes at once than may wait',
    promise: 'G4: some are refused with 503, and count when they are sent again',
    async inject({ home, votes }) {
      ok((await votes.send()) === 200, 'votes count');
      // Opened before: a server that waits for the lock accepts few.
      const sockets = await openConnections(home.port, TOO_MANY);
      let isRefused = false;
      const unlock = lock(home.path);
      for (const socket of sockets) {
        const key = votes.newKey();
        // Those that wait have no answer while the database is locked.
        socket.once('data', (answer) => {
          const [, status] = String(answer).split(' ', 2);
          isRefused ||= status === '503';
          if (status === '200') votes.acknowledge(key);
        });
        socket.write(headOfVote(GAME, key, 0));
      }
      await until(() => isRefused, 'some are refused');
      unlock();
      const isOver = () => sockets.every(({ bytesRead, closed }) => bytesRead > 0 || closed);
      await until(isOver, 'all are answered');
    },
  },
];

/** Sends votes with that body one by one, and resets each connection: too early to too late for the reply. */
async function sendAndReset({ home, votes, scale }: Scene<StandaloneHome>, body: string) {
  for (let sent = 0; sent < scale.connections; sent += 1) {
    const bytes = headOfVote(GAME, votes.newKey(), BODY.length) + body;
    const [socket] = await openConnections(home.port, 1, bytes);
    await wait(sent % 6);
    socket?.resetAndDestroy();
  }
}
