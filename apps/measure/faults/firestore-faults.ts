import { setTimeout as wait } from 'node:timers/promises';
import type { CommitFault } from '@goty/functions/grpc-proxy';
import { type CloudFault, NOMINEES, OTHER_GAME } from './cloud-home.ts';
import { check, until } from './until.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const CODES = {
  UNAVAILABLE: 14,
  ABORTED: 10,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
} as const;
const CONNECTIONS = 32;
const NOMINEES_BACK_MS = 12_000;

/** What can happen to Firestore. */
export const FIRESTORE_FAULTS: readonly CloudFault[] = [
  ...Object.entries(CODES).map(([name, reply]) => ({
    fault: `two of three commits end with ${name}, half of them after they were stored`,
    promise: 'V3, G6: what the SDK or the visitor sends again counts once',
    ...failing(takeTurns([{ reply, isStored: false }, { reply, isStored: true }, undefined])),
  })),
  ...[false, true].map((isStored) => ({
    fault: `every other reply is lost ${isStored ? 'after' : 'before'} the commit`,
    promise: 'V1, V3: a lost reply counts nothing twice',
    ...failing(takeTurns([{ reply: 'lost', isStored }, undefined])),
  })),
  {
    fault: 'each commit takes 2 s longer',
    promise: 'G2: the votes of that time go together',
    ...failing(() => () => ({ after: wait(2_000) })),
  },
  {
    fault: 'stopped: commits hang, then end',
    promise: 'G5: votes are 503 after 8 s and count once when sent again',
    pour: CONNECTIONS,
    async inject({ home, scale }) {
      const outage = wait(scale.outageMs);
      home.proxy.failCommits(() => ({ after: outage }));
      await outage;
      await until(() => home.proxy.faults() > 0, 'a commit fails');
    },
  },
  {
    fault: 'gone, and back',
    promise: 'B9, N3: votes are 503, the list is served on',
    pour: CONNECTIONS,
    async inject({ home, votes, scale }) {
      await votes.untilCounted();
      home.proxy.cut();
      await wait(scale.outageMs);
      check((await fetch(`${home.address()}/goty`)).ok, 'the list is served on');
      home.proxy.restore();
    },
  },
  {
    fault: 'a game is removed while its votes wait',
    promise: 'S5: the others of their group count; S10: its voters can vote again',
    allowed: [404],
    async inject({ home, votes }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      home.proxy.failCommits(() => ({ after: promise }));
      const waiting = [votes.sendAtOnce(50), votes.sendAtOnce(50, OTHER_GAME)];
      await until(() => home.proxy.faults() > 0, 'a commit waits');
      await home.use((store) => store.removeGame(OTHER_GAME));
      home.proxy.failCommits(() => undefined);
      resolve();
      const [kept, removed] = await Promise.all(waiting);
      check(new Set(kept).isSubsetOf(new Set([200])), 'the votes for the other game count');
      check(removed?.includes(200) === false, 'those for the removed one do not');
      await home.use((store) => store.setNominees(NOMINEES));
    },
  },
  {
    fault: 'restarted empty; the nominees are set again',
    promise: 'V2: no vote is confirmed without its game',
    allowed: [404],
    async inject({ home, votes, scale }) {
      await votes.sendAtOnce(100);
      await home.empty();
      votes.forgetAcknowledged();
      await votes.sendAtOnce(100);
      check(votes.acknowledged() === 0, 'no vote is confirmed');
      await home.use((store) => store.setNominees(NOMINEES));
      const setAt = performance.now();
      await until(async () => (await votes.send()) === 200, 'votes count again');
      const tookMs = performance.now() - setAt;
      check(tookMs < NOMINEES_BACK_MS * scale.slack, 'N3: the nominees are back within 10 s');
    },
  },
];

type NextFault = () => CommitFault | undefined;

/** Votes are sent while commits fail as `start` says. */
function failing(start: () => NextFault): Pick<CloudFault, 'pour' | 'inject'> {
  return {
    pour: CONNECTIONS,
    async inject({ home, scale }) {
      home.proxy.failCommits(start());
      await wait(scale.loadMs * 2);
      await until(() => home.proxy.faults() > 1, 'two commits fail');
      home.proxy.failCommits(() => undefined);
    },
  };
}

function takeTurns(turns: readonly (CommitFault | undefined)[]): () => NextFault {
  return () => {
    let turn = -1;
    return () => {
      turn += 1;
      return turns[turn % turns.length];
    };
  };
}
