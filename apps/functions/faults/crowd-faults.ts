import { setTimeout as wait } from 'node:timers/promises';
import { createCloud } from './cloud-home.ts';
import { check, type Home, type Scenario, type Scene, until } from './scenario.ts';
import { lock } from './sqlite-faults.ts';
import { standalone } from './standalone-home.ts';

const FIVE_HUNDRED = {
  fault: '500 votes at once for one game',
  promise: 'G2, V1: all of them count',
  async inject({ votes }: Scene<Home>) {
    const statuses = await votes.sendAtOnce(500);
    check(
      statuses.every((status) => status === 200),
      'all of them count',
    );
  },
};
const ONE_KEY = {
  fault: 'one key, 50 times at once',
  promise: 'V3: it counts once, and each gets the same answer',
  async inject({ votes }: Scene<Home>) {
    const key = votes.newKey();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => votes.send(key)));
    check(
      statuses.every((status) => status === 200),
      'each gets the same answer',
    );
  },
};
const TOO_MANY = {
  fault: 'more votes at once than may wait',
  promise: 'G4: some are refused with 503, and count when they are sent again',
};

/** Many votes at once, at one standalone server. */
export const CROWDS: readonly Scenario[] = [
  standalone(FIVE_HUNDRED),
  standalone(ONE_KEY),
  standalone({
    ...TOO_MANY,
    async inject({ home, votes }) {
      await until(async () => (await votes.send(votes.newKey())) === 200, 'votes count');
      const unlock = lock(home.path);
      const refused = votes.sendAtOnce(11_500).then((all) => all.includes(503));
      setTimeout(unlock, 4_000);
      check(await refused, 'some are refused');
    },
  }),
];

/**
 * Many votes at once in the cloud.
 *
 * @param host `host:port` of the emulator
 */
export function cloudCrowds(host: string): readonly Scenario[] {
  const cloud = createCloud(host);
  return [
    cloud(FIVE_HUNDRED),
    cloud(ONE_KEY),
    cloud({
      ...TOO_MANY,
      async inject({ home, votes }) {
        home.proxy.failCommits(() => ({ after: wait(3_000) }));
        const statuses = await votes.sendAtOnce(2_500);
        check(statuses.includes(503), 'some are refused');
      },
    }),
    cloud({
      fault: 'two instances, one key sent to both',
      promise: 'V3: a key counts once, whichever instance gets it',
      instances: 2,
      async inject({ votes }) {
        const keys = Array.from({ length: 200 }, () => votes.newKey());
        await Promise.all(keys.flatMap((key) => [votes.send(key), votes.send(key)]));
      },
    }),
  ];
}
