import { setTimeout as wait } from 'node:timers/promises';
import type { CommitFault } from '../testing/grpc-proxy.ts';
import { type CloudHome, createCloud, NOMINEES, OTHER_GAME } from './cloud-home.ts';
import { check, type Scenario, type Scene, until } from './scenario.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const CODES = {
  UNAVAILABLE: 14,
  ABORTED: 10,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
} as const;
const CONNECTIONS = 32;
const REMOVED_MS = 12_000;

/**
 * What can happen to Firestore.
 *
 * @param host `host:port` of the emulator
 */
export function firestoreFaults(host: string): readonly Scenario[] {
  const cloud = createCloud(host);
  return [
    ...Object.entries(CODES).map(([name, reply]) =>
      cloud({
        fault: `two of three commits end with ${name}, half of them after they were stored`,
        promise: 'V3, G6: what the SDK or the visitor sends again counts once',
        inject: (scene) =>
          pourWith(
            scene,
            takeTurns([{ reply, isStored: false }, { reply, isStored: true }, undefined]),
          ),
      }),
    ),
    ...[false, true].map((isStored) =>
      cloud({
        fault: `every other reply is lost ${isStored ? 'after' : 'before'} the commit`,
        promise: 'V1, V3: a lost reply counts nothing twice',
        inject: (scene) => pourWith(scene, takeTurns([{ reply: 'lost', isStored }, undefined])),
      }),
    ),
    cloud({
      fault: 'each commit takes 2 s longer',
      promise: 'G2: the votes of that time go together',
      inject: (scene) => pourWith(scene, () => ({ after: wait(2_000) })),
    }),
    cloud({
      fault: 'stopped: commits hang, then end',
      promise: 'G5: votes are 503 after 8 s and count once when sent again',
      async inject(scene) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const outage = wait(scene.scale.outageMs).then(resolve);
        await pourWith(scene, () => ({ after: promise }), outage);
      },
    }),
    cloud({
      fault: 'gone, and back',
      promise: 'B9, N3: votes are 503, the list is served on',
      async inject({ home, votes, scale }) {
        const stop = votes.pour(CONNECTIONS);
        await until(() => votes.counts().acknowledged > 0, 'votes count');
        home.proxy.cut();
        await wait(scale.outageMs);
        const list = await fetch(`${home.address()}/goty`);
        check(list.ok, 'the list is served on');
        home.proxy.restore();
        await stop();
      },
    }),
    cloud({
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
        const [kept = [], removed = []] = await Promise.all(waiting);
        check(
          kept.every((status) => status === 200),
          'the votes for the other game count',
        );
        check(
          removed.every((status) => status !== 200),
          'those for the removed one do not',
        );
        await home.use((store) => store.setNominees(NOMINEES));
      },
    }),
    cloud({
      fault: 'restarted empty; the nominees are set again',
      promise: 'V2: no vote is confirmed without its game',
      allowed: [404],
      async inject({ home, votes }) {
        await votes.sendAtOnce(100);
        await home.empty();
        votes.forgetAcknowledged();
        await votes.sendAtOnce(100);
        check(votes.counts().acknowledged === 0, 'no vote is confirmed');
        await home.use((store) => store.setNominees(NOMINEES));
        const send = async () => (await votes.send(votes.newKey())) === 200;
        const setAt = performance.now();
        await until(send, 'votes count again');
        check(performance.now() - setAt < REMOVED_MS, 'N3: the nominees are back within 10 s');
      },
    }),
  ];
}

/** Sends votes while commits fail as `next` says, until `over`. */
async function pourWith(
  { home, votes, scale }: Scene<CloudHome>,
  next: () => CommitFault | undefined,
  over: Promise<unknown> = wait(scale.loadMs * 2),
) {
  home.proxy.failCommits(next);
  const stop = votes.pour(CONNECTIONS);
  await over;
  await until(() => home.proxy.faults() > 0, 'a commit fails');
  home.proxy.failCommits(() => undefined);
  await stop();
}

function takeTurns(turns: readonly (CommitFault | undefined)[]): () => CommitFault | undefined {
  let turn = -1;
  return () => {
    turn += 1;
    return turns[turn % turns.length];
  };
}
