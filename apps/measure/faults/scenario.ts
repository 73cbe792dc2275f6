import type { OperatorStore } from '@goty/functions/vote-store';
import type { Row } from '../base/report.ts';
import { tally } from '../base/tally.ts';
import { check, until } from './until.ts';
import { createVotes, type Votes } from './votes.ts';

/** How much of everything. */
export const FULL = {
  kills: 20,
  /** How long something is gone, locked or suspended, in milliseconds. */
  outageMs: 30_000,
  /** How long votes are sent, in milliseconds. */
  loadMs: 5_000,
  /** How long each connection that votes waits between two votes, in milliseconds. */
  pauseMs: 0,
  /** Connections that misbehave. */
  connections: 500,
  /** How many times longer than promised something may take. */
  slack: 1,
};
export type Scale = Readonly<typeof FULL>;

/** Part of the tests. */
export const SHORT: Scale = {
  kills: 3,
  outageMs: 2_000,
  loadMs: 500,
  pauseMs: 50,
  connections: 100,
  // Tests share a machine: how long something takes is judged by the command alone.
  slack: 20,
};

/** A home while a fault is injected. */
export interface Home {
  /** The address of the API. */
  address(): string;
  /** Ends the fault, if it is not over: starts what does not run. */
  heal(): Promise<void>;
  /** Calls `work` with the store, as an operator's command has it. */
  use<Result>(work: (store: OperatorStore) => Promise<Result>): Promise<Result>;
}

/** What a fault works with. */
export interface Scene<AnyHome extends Home = Home> {
  readonly home: AnyHome;
  readonly votes: Votes;
  readonly scale: Scale;
}

/** A scenario; the frame does the rest. */
export interface Fault<AnyHome extends Home> {
  /** What is injected; unique in its home. */
  readonly fault: string;
  /** What is promised, with the ids of SPEC.md. */
  readonly promise: string;
  /** How many connections vote meanwhile; by default none. */
  readonly pour?: number;
  /** A status besides 200 and 503 that votes may get. */
  readonly allowed?: number;
  /** Rejects if a promise besides the invariant is not kept. */
  readonly inject: (scene: Scene<AnyHome>) => Promise<unknown>;
}

export interface Scenario {
  /** The home and the fault. */
  readonly title: string;
  /**
   * Starts a home, injects, settles, counts, retries and counts again. Resolves with the row of the table in
   * docs/reliability.md; rejects if a vote is lost or counted twice, or a promise broken.
   */
  run(scale: Scale): Promise<Row>;
}

/** What was sent, acknowledged, counted and stored. */
type Counts = Readonly<Record<'S' | 'A' | 'C' | 'B', number>>;

export function createScenario<AnyHome extends Home>(
  name: 'standalone' | 'cloud',
  open: (resources: AsyncDisposableStack) => Promise<AnyHome>,
  { fault, promise, pour = 0, allowed = 200, inject }: Fault<AnyHome>,
): Scenario {
  return {
    title: `${name}: ${fault}`,
    async run(scale) {
      await using resources = new AsyncDisposableStack();
      const home = await open(resources);
      const votes = createVotes(home.address, allowed, scale.pauseMs);
      const stop = votes.pour(pour);
      await inject({ home, votes, scale }).finally(stop);
      await home.heal();
      await until(() => isHealthy(home, votes).catch(() => false), 'the server is healthy');
      const after = await count(votes, home);
      const { S, A, C, B } = after;
      check(A <= C && C <= S && C === B, `A ≤ C ≤ S, C = B: ${JSON.stringify(after)}`);
      await votes.retry();
      const retried = await count(votes, home);
      const isSettled = new Set(Object.values(retried)).size === 1;
      check(isSettled, `A = C = S = B after the retries: ${JSON.stringify(retried)}`);
      check(votes.oddities().length === 0, `the usual answers: ${votes.oddities().join('; ')}`);
      const row = { Home: name, Fault: fault, Promised: promise, S, A, 'C = B': C };
      return { ...row, 'After the retries A = C = S = B': retried.C };
    },
  };
}

/** After a commit that failed, a server is healthy once it has stored a vote (V8), so each check sends one. */
async function isHealthy(home: Home, votes: Votes): Promise<boolean> {
  const { ok } = await fetch(`${home.address()}/health`);
  if (ok) return true;
  // In the cloud home, each instance gets one.
  await Promise.all([votes.send(), votes.send()]);
  return false;
}

async function count(votes: Votes, home: Home): Promise<Counts> {
  const { counted, stored } = await home.use(tally);
  return { S: votes.sent(), A: votes.acknowledged(), C: counted, B: stored };
}
