import { ok } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { removeGame, setNominees, setTimes } from '@goty/functions/acts';
import type { StandingsResponse } from '@goty/shared/game';
import type { VoteTimes } from '@goty/shared/vote-times';
import {
  type CloudHome,
  NOMINEES,
  OTHER_GAME,
  openCloud,
  WRITE_INTERVAL_MS,
} from './cloud-home.ts';
import { COMMAND_FAULT } from './command-faults.ts';
import type { CommitReply } from './firestore-proxy.ts';
import { outage, REPLAYS } from './injectors.ts';
import { createScenario, type Fault, type Scene, tally } from './scenario.ts';
import { until } from './until.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const REPLIES: readonly [name: string, reply: CommitReply][] = [
  ['with UNAVAILABLE', 14],
  ['with ABORTED', 10],
  ['with DEADLINE_EXCEEDED', 4],
  ['with RESOURCE_EXHAUSTED', 8],
  ['without a reply', 'lost'],
];
/** A lone vote, a fence, groups of votes, and folds. */
const FIRST_WRITES = 6;
const NOMINEES_BACK_MS = 12_000;
const COUNT_MS = 4_000;

/** What can happen to Firestore, and many votes at once. */
const CLOUD_FAULTS: readonly Fault<CloudHome>[] = [
  ...REPLIES.map(([name, reply]) => ({
    fault: `two of three commits end ${name}, half of them after they were stored`,
    promise: 'V1, V3, G6: what the SDK or the visitor sends again counts once',
    ...failing(reply),
  })),
  {
    fault: 'stopped: commits hang, then end',
    promise: 'G5: votes are 503 after 8 s and count once when sent again',
    ...outage(holdCommits, untilFaulty),
  },
  {
    fault: 'gone, and back',
    promise: 'B9, N3: votes are 503, the list is served on',
    ...outage(
      ({ proxy }) => {
        proxy.cut();
        return proxy.restore;
      },
      async ({ home }) => ok((await fetch(`${home.address()}/goty`)).ok, 'the list is served'),
    ),
  },
  {
    fault: 'a game is removed while its votes wait',
    promise: 'S2: the others of their group count; S10: its voters can vote again',
    allowed: 404,
    async inject({ home, votes }) {
      const release = holdCommits(home);
      const waiting = [votes.sendAtOnce(50), votes.sendAtOnce(50, OTHER_GAME)];
      await until(() => home.proxy.faults() > 0, 'a commit waits');
      await home.use((store) => store.change(removeGame(OTHER_GAME)));
      release();
      const [kept, removed] = await Promise.all(waiting);
      ok(
        kept?.includes(200) && new Set(kept).isSubsetOf(new Set([200, 503])),
        'votes for the game that stays count, and those that were too late are to be sent again',
      );
      ok(removed?.includes(200) === false, 'those for the removed one do not');
      await home.use((store) => store.change(setNominees(NOMINEES)));
    },
  },
  {
    fault: 'restarted empty; the nominees are set again',
    promise: 'V2: no vote is confirmed without its game',
    allowed: 404,
    async inject({ home, votes, scale }) {
      await votes.sendAtOnce(100);
      await home.empty();
      votes.forgetAcknowledged();
      await votes.sendAtOnce(100);
      ok(votes.acknowledged() === 0, 'no vote is confirmed');
      await home.use((store) => store.change(setNominees(NOMINEES)));
      const setAt = performance.now();
      await until(async () => (await votes.send()) === 200, 'votes count again');
      const tookMs = performance.now() - setAt;
      ok(tookMs < NOMINEES_BACK_MS * scale.slack, 'N3: the nominees are back within 10 s');
    },
  },
  {
    fault: 'instances are killed before and after each of their first writes, then silence',
    promise: 'V1: what they have left is counted once',
    async inject({ home, votes }) {
      const mortals = await home.startMortals(2 * FIRST_WRITES);
      const sent: Promise<unknown>[] = [];
      for (const [at, { proxy }] of mortals.entries()) {
        const last = 1 + Math.floor(at / 2);
        let commits = 0;
        proxy.failCommits(() => {
          commits += 1;
          const isStored = commits === last && at % 2 === 1;
          return commits < last ? undefined : { reply: 'lost', isStored };
        });
      }
      // The first vote of each is lone. Of the next ones, each leaves its sum to the outbox.
      await until(async () => {
        sent.push(votes.sendAtOnce(2 * mortals.length));
        await wait(WRITE_INTERVAL_MS);
        return mortals.every(({ proxy }) => proxy.faults() > 0);
      }, 'all are dead');
      await Promise.all(sent);
      await home.use(async (store) => {
        await store.settle();
        const shown = (await store.games()).reduce((sum, { votos }) => sum + votos, 0);
        const { stored } = await tally(store);
        ok(shown === stored, `${shown} votes are shown of ${stored}`);
      });
    },
  },
  {
    fault: 'counting takes seconds when the result of a frozen vote is due',
    promise: 'V10: each instance shows it',
    allowed: 403,
    async inject({ home, votes, scale }) {
      await votes.sendAtOnce(50);
      const set = (times: Partial<VoteTimes>) =>
        home.use((store) =>
          store.change(setTimes((before) => ({ ...before, ...times }), 'command')),
        );
      const frozenAt = Date.now();
      await set({ frozenAt, endsAtClose: true });
      await Promise.all(home.addresses.map((address) => untilTold(address, { frozenAt })));
      await votes.sendAtOnce(50);
      home.proxy.slowCounts(Math.min(COUNT_MS, scale.outageMs));
      const closesAt = Date.now();
      await set({ closesAt });
      const shown = { closesAt, frozenAt: undefined };
      await Promise.all(home.addresses.map((address) => untilTold(address, shown)));
      home.proxy.slowCounts(0);
      await set({ closesAt: undefined });
      const open = { closesAt: undefined };
      await Promise.all(home.addresses.map((address) => untilTold(address, open)));
    },
  },
  REPLAYS,
];

/** Asks an instance again and again, as pages do, until it says so. */
function untilTold(address: string, told: Partial<StandingsResponse>) {
  return until(
    async () => {
      const answer: Partial<StandingsResponse> = await (await fetch(`${address}/standings`)).json();
      return Object.entries(told).every(([name, value]) =>
        Object.is(new Map(Object.entries(answer)).get(name), value),
      );
    },
    `${address} tells ${JSON.stringify(told)}`,
  );
}

/** In the order of the table. */
export const CLOUD = [...CLOUD_FAULTS, COMMAND_FAULT].map((fault) =>
  createScenario('cloud', openCloud, fault),
);

/** Of three commits one ends so before it is stored, and one after it was. */
function failing(reply: CommitReply) {
  return outage<CloudHome>(({ proxy }) => {
    let commits = 0;
    proxy.failCommits(() => {
      commits += 1;
      return commits % 3 === 0 ? undefined : { reply, isStored: commits % 3 === 2 };
    });
    return () => proxy.failCommits(() => undefined);
  }, untilFaulty);
}

/** Returns what lets them pass, those that have arrived and later ones. */
function holdCommits({ proxy }: CloudHome) {
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.failCommits(() => ({ after: promise }));
  return resolve;
}

function untilFaulty({ home }: Scene<CloudHome>) {
  return until(() => home.proxy.faults() > 1, 'two commits fail');
}
