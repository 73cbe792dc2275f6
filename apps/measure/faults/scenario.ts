import { deepEqual, ok } from 'node:assert/strict';
import type { VoteStore } from '@goty/functions/vote-store';
import type { Row } from '../base/report.ts';
import { until } from './until.ts';
import { createVotes, type Votes } from './votes.ts';

/** The scale at which the command `pnpm faults` runs. */
export const FULL = {
  kills: 20,
  /** What random choices follow from. */
  seed: 1,
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

/** The scale of the tests. */
export const SHORT: Scale = {
  kills: 3,
  seed: 1,
  outageMs: 1_000,
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
  use<Result>(work: (store: VoteStore) => Promise<Result>): Promise<Result>;
}

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

export type Scenario = ReturnType<typeof createScenario>;

export function createScenario<AnyHome extends Home>(
  name: 'standalone' | 'cloud',
  open: (resources: AsyncDisposableStack, firestoreHost: string) => Promise<AnyHome>,
  { fault, promise, pour = 0, allowed = 200, inject }: Fault<AnyHome>,
) {
  return {
    title: `${name}: ${fault}`,
    /**
     * Starts a home, injects, settles, counts, retries and counts again. Resolves with the row of the table in
     * docs/reliability.md; rejects if a vote is lost or counted twice, or a promise broken.
     *
     * @param firestoreHost `host:port` of the emulator, for the cloud home
     */
    async run(scale: Scale, firestoreHost = ''): Promise<Row> {
      await using resources = new AsyncDisposableStack();
      const home = await open(resources, firestoreHost);
      const votes = createVotes(home.address, allowed, scale.pauseMs);
      const stop = votes.pour(pour);
      await inject({ home, votes, scale }).finally(stop);
      await home.heal();
      await until(() => isHealthy(home, votes).catch(() => false), 'the server is healthy');
      const { counted: C, stored: B } = await home.use(tally);
      const S = votes.sent();
      const A = votes.acknowledged();
      ok(A <= C && C <= S && C === B, `A ≤ C ≤ S, C = B: ${JSON.stringify({ S, A, C, B })}`);
      await votes.retry();
      const all = votes.sent();
      const retried = { acknowledged: votes.acknowledged(), ...(await home.use(tally)) };
      deepEqual(retried, { acknowledged: all, counted: all, stored: all });
      deepEqual(votes.oddities(), []);
      const row = { Home: name, Fault: fault, Promised: promise, S, A, 'C = B': C };
      return { ...row, 'After the retries A = C = S = B': all };
    },
  };
}

/** How many votes the sums of a store tell, and how many ballots it has. */
export async function tally(store: VoteStore) {
  const games = await store.recount();
  return {
    counted: games.reduce((sum, { votos }) => sum + (votos ?? 0), 0),
    stored: games.reduce((sum, { ballots }) => sum + ballots, 0),
  };
}

/** After a commit that failed, a server is healthy once it has stored a vote (V8), so each check sends one. */
async function isHealthy(home: Home, votes: Votes): Promise<boolean> {
  const health = await fetch(`${home.address()}/health`);
  if (health.ok) return true;
  // In the cloud home, three instances take turns, and a round has two requests, so each of them comes to a vote.
  await votes.send();
  return false;
}
