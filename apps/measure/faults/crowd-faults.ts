import { setTimeout as wait } from 'node:timers/promises';
import type { CloudFault } from './cloud-home.ts';
import { headOf, openConnections } from './connections.ts';
import type { Fault, Home } from './scenario.ts';
import { lock } from './sqlite-faults.ts';
import { standalone } from './standalone-home.ts';
import { check, until } from './until.ts';

const FIVE_HUNDRED: Fault<Home> = {
  fault: '500 votes at once for one game',
  promise: 'G2, V1: all of them count',
  async inject({ votes }) {
    await votes.sendAtOnce(500);
    check(votes.acknowledged() === 500, 'all of them count');
  },
};
const ONE_KEY: Fault<Home> = {
  fault: 'one key, 50 times at once',
  promise: 'V3: it counts once, and each gets the same answer',
  async inject({ votes }) {
    const key = votes.newKey();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => votes.send(key)));
    check(new Set(statuses).isSubsetOf(new Set([200])), 'each gets the same answer');
  },
};
const TOO_MANY = {
  fault: 'more votes at once than may wait',
  promise: 'G4: some are refused with 503, and count when they are sent again',
};

/** Many votes at once, at one standalone server. */
export const STANDALONE_CROWDS = [
  standalone(FIVE_HUNDRED),
  standalone(ONE_KEY),
  standalone({
    ...TOO_MANY,
    async inject({ home, votes }) {
      check((await votes.send()) === 200, 'votes count');
      // Opened before: a server that waits for the lock accepts few.
      const sockets = await openConnections(home.port, 11_500);
      let isRefused = false;
      const unlock = lock(home.path);
      for (const socket of sockets) {
        // Those that wait have no answer while the database is locked.
        socket.once('data', (answer) => {
          isRefused ||= String(answer).startsWith('HTTP/1.1 503');
        });
        socket.write(headOf(votes.newKey(), 0));
      }
      await until(() => isRefused, 'some are refused');
      unlock();
    },
  }),
];

/** Many votes at once in the cloud. */
export const CLOUD_CROWDS: readonly CloudFault[] = [
  FIVE_HUNDRED,
  ONE_KEY,
  {
    ...TOO_MANY,
    async inject({ home, votes }) {
      home.proxy.failCommits(() => ({ after: wait(3_000) }));
      check((await votes.sendAtOnce(2_500)).includes(503), 'some are refused');
    },
  },
  {
    fault: 'two instances, one key sent to both',
    promise: 'V3: a key counts once, whichever instance gets it',
    instances: 2,
    async inject({ votes }) {
      const keys = Array.from({ length: 200 }, () => votes.newKey());
      await Promise.all(keys.flatMap((key) => [votes.send(key), votes.send(key)]));
    },
  },
];
