import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  changeBallots,
  removeGame,
  repair,
  reveal,
  setNominees,
  setTimes,
} from '@goty/functions/acts';
import type { Ballot } from '@goty/functions/ballot';
import { systemClock as clock } from '@goty/functions/clock';
import { createFirestoreStore } from '@goty/functions/firestore-store';
import { openEmulator } from '@goty/functions/testing/emulator';
import { hasRightSum, type VoteStore } from '@goty/functions/vote-store';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { Firestore } from 'firebase-admin/firestore';
import { median, quantile, type Row } from '../base/report.ts';
import { log, serveInstance, WRITE_INTERVAL_MS } from '../faults/cloud-home.ts';
import { simulateFirestore } from './simulated-firestore.ts';

// A rush on the cloud home, with a twentieth of its voters: so a machine with two cores can serve 25 instances.

const SCALE = 20;
const CONCURRENCY = 1_000 / SCALE;
/** Four fifths of what an instance takes at once may be votes. Each of these voters votes again when it is answered. */
const VOTERS = 0.8 * CONCURRENCY;
const GAMES = Array.from({ length: 10 }, (_, id) => ({ id: `g${id}`, name: `${id}`, url: '/x' }));
const HOLD_MS = 200;
const WARM_UP_MS = 10_000;
const MEASURED_MS = 10_000;
/** A page waits at least so long before it sends a refused vote again. */
const RETRY_MS = 500;

/** Measures how many votes a second so many instances count, and how long their voters wait. */
export async function measureRush(instances: number): Promise<Row> {
  await using resources = new AsyncDisposableStack();
  const { host: emulator, advice, stop } = await openEmulator();
  if (advice) throw new Error(`There is no Firestore: ${advice}.`);
  resources.defer(() => stop());
  // It would lead the SDK past the simulation.
  delete process.env.FIRESTORE_EMULATOR_HOST;
  const firestore = await simulateFirestore(emulator, HOLD_MS, resources);
  const projectId = `demo-rush-${instances}`;
  const intervalMs = instances > 1 ? WRITE_INTERVAL_MS : 0;
  const open = (host: string) =>
    createFirestoreStore(new Firestore({ projectId, host, ssl: false }), log, {
      clock,
      intervalMs,
    });
  // Not held: the emulator's own locks, which transactions take, know nothing of the simulated ones.
  const operator = open(emulator);
  resources.defer(() => operator.close());
  await operator.change(setNominees(GAMES));
  const serve = () => serveInstance(open(firestore.host), CONCURRENCY, resources);
  const ports = await Promise.all(Array.from({ length: instances }, serve));

  const voters = startVoters(ports, resources);
  await wait(WARM_UP_MS);
  voters.startMeasuring();
  const begunAt = performance.now();
  const written = firestore.sumWrites();
  await wait(MEASURED_MS);
  const { waits, refused } = voters.measured();
  const seconds = (performance.now() - begunAt) / 1_000;
  const sumWrites = firestore.sumWrites() - written;
  voters.startMeasuring();
  const frozenAt = await actBeside(operator);
  const { slowest } = voters.measured();
  const acknowledged = await voters.stop();
  await operator.settle();
  await assertExact(operator, acknowledged, frozenAt);
  return {
    Instances: instances,
    'Votes a second': Math.round(waits.length / seconds),
    Ideal: VOTERS * instances,
    Refused: refused,
    'Answer p50': `${Math.round(median(waits))} ms`,
    'Answer p99': `${Math.round(quantile(waits, 0.99))} ms`,
    'Sum writes a second': Math.round(sumWrites / seconds),
    'Slowest answer beside acts': `${Math.round(slowest)} ms`,
  };
}

/** Votes on and on. What is measured is what was answered since `startMeasuring`. */
function startVoters(ports: readonly number[], resources: AsyncDisposableStack) {
  /** How many votes each game got since the beginning, as far as voters know. */
  const acknowledged = new Map<string, number>();
  let [waits, refused, slowest]: [number[], number, number] = [[], 0, 0];
  let isOver = false;
  let key = 0;
  const voters = ports.flatMap((port) => {
    const agent = new Agent({ keepAlive: true, maxSockets: VOTERS });
    resources.defer(() => agent.destroy());
    return Array.from({ length: VOTERS }, async () => {
      while (!isOver) {
        const begunAt = performance.now();
        const game = `g${Math.floor(Math.random() * GAMES.length)}`;
        const status = await vote(port, game, `key-${key++}`, agent);
        const tookMs = performance.now() - begunAt;
        slowest = Math.max(slowest, tookMs);
        if (status === 200) acknowledged.set(game, (acknowledged.get(game) ?? 0) + 1);
        if (status === 200) waits.push(tookMs);
        else refused += 1;
        if (status !== 200) await wait(RETRY_MS);
      }
    });
  });
  return {
    startMeasuring() {
      [waits, refused, slowest] = [[], 0, 0];
    },
    measured: () => ({ waits, refused, slowest }),
    async stop() {
      isOver = true;
      await Promise.all(voters);
      return acknowledged;
    },
  };
}

/** Does what an operator does, beside voters. Resolves with the time since when the vote is frozen then. */
async function actBeside(operator: VoteStore): Promise<number> {
  const freeze = setTimes((times, now) => ({ ...times, frozenAt: now + 1 }), 'command');
  const some: Ballot[] = [];
  for await (const ballot of operator.ballots({ game: 'g1' })) if (some.push(ballot) === 30) break;
  const voided = some.map((ballot) => ({ ...ballot, voided: 'act' }));
  for (const act of [
    freeze,
    changeBallots(some, { voidedBy: 'act' }),
    reveal('command'),
    changeBallots(voided, 'valid'),
    repair([]),
    removeGame('g9'),
    freeze,
  ]) {
    await operator.change(act);
    await wait(WRITE_INTERVAL_MS);
  }
  return (await operator.state()).times.frozenAt ?? 0;
}

/**
 * A lone vote may be shown for ten seconds after a freeze (V10); on a busy machine there are some.
 *
 * @throws if a vote is missing, or neither in a sum nor hidden, or hidden without a reason
 */
async function assertExact(
  store: VoteStore,
  acknowledged: ReadonlyMap<string, number>,
  frozenAt: number,
) {
  const hidden = new Map<string, number>();
  for await (const { at, game } of store.ballots()) {
    if (at >= frozenAt) hidden.set(game, (hidden.get(game) ?? 0) + 1);
  }
  const wrong = (await store.recount()).filter(
    (each) =>
      !hasRightSum(each) ||
      each.hidden > (hidden.get(each.game) ?? 0) ||
      each.ballots < (acknowledged.get(each.game) ?? 0),
  );
  if (wrong.length > 0) throw new Error(`wrong sums: ${JSON.stringify(wrong)}`);
}

/** Resolves with the status of the answer, 0 without one. `fetch` would take several times the processor time. */
function vote(port: number, game: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, agent, method: 'POST', path: `/goty/${game}` };
    const request = httpRequest({ ...options, headers: { [IDEMPOTENCY_KEY]: key } });
    request.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', () => resolve(0)).end();
  });
}
