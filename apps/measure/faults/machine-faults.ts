import { ok } from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { headOfVote } from '../base/request.ts';
import {
  CONNECTIONS,
  expectNoConfirmations,
  lock,
  loseDatabase,
  openConnections,
  outage,
  untilRefused,
} from './injectors.ts';
import type { Fault, Scene } from './scenario.ts';
import type { StandaloneHome } from './standalone-home.ts';
import { GAME } from './votes.ts';

const STREAMS = 50;
const STOP_MS = 5_000;
/** A write-ahead log of a few commits; the last of them fits in part. */
const ROOM_BYTES = 100_000;

const LOSSES: readonly [fault: string, lose: (path: string, backup: string) => void][] = [
  ['deleted; a back-up is restored', (path) => rmSync(path)],
  ['replaced by a back-up', (path, backup) => renameSync(backup, path)],
  ['overwritten with a back-up', (path, backup) => copyFileSync(backup, path)],
];

/** What can happen to the process and to the database of the standalone home. */
export const MACHINE_FAULTS: readonly Fault<StandaloneHome>[] = [
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
