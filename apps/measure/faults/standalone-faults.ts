import { ok } from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { API_PREFIX } from '@goty/shared/protocol';
import { headOfVote, openConnections, STREAM_HEAD } from '../base/request.ts';
import { COMMAND_FAULT } from './command-faults.ts';
import {
  CONNECTIONS,
  expectNoConfirmations,
  lock,
  loseDatabase,
  outage,
  REPLAYS,
  untilRefused,
} from './injectors.ts';
import { createScenario, type Fault, type Scene, tally } from './scenario.ts';
import { openStandalone, type StandaloneHome } from './standalone-home.ts';
import { until } from './until.ts';
import { GAME } from './votes.ts';

const STREAMS = 50;
const STOP_MS = 5_000;
/** A write-ahead log of a few commits; the last of them fits in part. */
const ROOM_BYTES = 100_000;
const BODY = '{"a": "bcdefghijkl"}';
const UNFINISHED_HEAD = `POST ${API_PREFIX}/goty/a HTTP/1.1\r\nX: `;
/** More than may wait, and fewer than the descriptors of this process. */
const TOO_MANY = 11_500;

const LOSSES: readonly [fault: string, lose: (path: string, backup: string) => void][] = [
  ['deleted; a back-up is restored', (path) => rmSync(path)],
  ['replaced by a back-up', (path, backup) => renameSync(backup, path)],
  ['overwritten with a back-up', (path, backup) => copyFileSync(backup, path)],
];

/** What can happen to the process and the database of the standalone home. */
const MACHINE_FAULTS: readonly Fault<StandaloneHome>[] = [
  {
    fault: 'killed (`kill -9`) under load, again and again',
    promise: 'P5: no acknowledged vote is lost; P6: nothing is in the way of the next start',
    pour: CONNECTIONS,
    async inject({ home, votes, scale }) {
      for (let kill = 0; kill < scale.kills; kill += 1) {
        await votes.untilCounted(100);
        home.signal('SIGKILL');
        await home.exit();
        await home.heal();
      }
    },
  },
  {
    fault: 'SIGTERM under load, with open streams and unfinished bodies',
    promise: 'P4: exit code 0 within 5 s, and every stream is ended',
    pour: CONNECTIONS,
    async inject({ home, votes, scale }) {
      const opening = Array.from({ length: STREAMS }, () => fetch(`${home.address()}/goty/live`));
      const streams = await Promise.all(opening);
      await openConnections(home.port, scale.connections, headOfVote(GAME, votes.newKey(), 2));
      await wait(scale.loadMs);
      const stoppedAt = performance.now();
      home.signal('SIGTERM');
      ok((await home.exit()) === 0, 'exit code 0');
      ok(performance.now() - stoppedAt < STOP_MS * scale.slack, 'it ends within 5 s');
      await Promise.all(streams.map((stream) => stream.text().catch(() => {})));
    },
  },
  {
    fault: 'suspended (SIGSTOP) and resumed',
    promise: 'V3: what was sent again counts once',
    ...outage((home) => {
      home.signal('SIGSTOP');
      return () => home.signal('SIGCONT');
    }),
  },
  {
    fault: 'out of file descriptors, which idle connections have taken',
    promise: 'V2: it goes on once there are descriptors, without a restart',
    ...outage(async (home) => {
      home.limit(`nofile=${CONNECTIONS * 2}:`);
      const taken = await openConnections(home.port, CONNECTIONS * 4);
      return () => {
        for (const socket of taken) socket.destroy();
      };
    }),
  },
  {
    fault: 'locked by another program',
    promise: 'P10: votes wait for it; G5: not for longer than 8 s',
    ...outage(({ path }) => lock(path)),
  },
  {
    fault: 'a full disk (a limit of the file size), then room again',
    promise: 'V2, B9: votes are 503 meanwhile, and count again afterwards without a restart',
    ...outage((home) => {
      home.limit(`fsize=${ROOM_BYTES}:`);
      return () => home.limit('fsize=unlimited:');
    }, untilRefused),
  },
  {
    fault: 'moved away, and back',
    promise: 'P9: no vote is confirmed without it, and health is 503',
    ...outage(({ path }) => {
      renameSync(path, `${path}.away`);
      return () => renameSync(`${path}.away`, path);
    }, expectNoConfirmations),
  },
  ...LOSSES.map(([fault, lose]) => ({
    fault,
    promise: 'P9: no vote is confirmed without it, health is 503, the exit code is 1',
    inject: (scene: Scene<StandaloneHome>) => loseDatabase(scene, lose),
  })),
];

/** What can happen on the way to it. */
const NETWORK_FAULTS: readonly Fault<StandaloneHome>[] = [
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

/** In the order of the table. */
export const STANDALONE = [...MACHINE_FAULTS, COMMAND_FAULT, ...NETWORK_FAULTS].map((fault) =>
  createScenario('standalone', openStandalone, fault),
);

/** Sends votes with that body one by one, and resets each connection: too early to too late for the reply. */
async function sendAndReset({ home, votes, scale }: Scene<StandaloneHome>, body: string) {
  for (let sent = 0; sent < scale.connections; sent += 1) {
    const bytes = headOfVote(GAME, votes.newKey(), BODY.length) + body;
    const [socket] = await openConnections(home.port, 1, bytes);
    await wait(sent % 6);
    socket?.resetAndDestroy();
  }
}
