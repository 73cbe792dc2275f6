import type { OperatorStore } from '@goty/functions/vote-store';
import type { Row } from '../base/report.ts';
import { until } from './until.ts';
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
  idle: 10_000,
  leavers: 30_000,
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
  idle: 500,
  leavers: 1_000,
  // Tests share a machine: how long something takes is judged by the command alone.
  slack: 20,
};

/** The running home of a scenario. */
export interface Home {
  /** The address of the API. */
  address(): string;
  /** Ends the fault, if it is not over: starts what does not run. */
  heal(): Promise<void>;
  /** Calls `work` with the store, as an operator's command has it. */
  use<Result>(work: (store: OperatorStore) => Promise<Result>): Promise<Result>;
}

/** What a fault works with. */
export interface Scene<AnyHome extends Home> {
  readonly home: AnyHome;
  readonly votes: Votes;
  readonly scale: Scale;
}

export interface Fault<AnyHome extends Home> {
  /** What is injected; unique in its home. */
  readonly fault: string;
  /** What is promised, with the ids of SPEC.md. */
  readonly promise: string;
  /** How many connections vote meanwhile; by default none. */
  readonly pour?: number;
  /** Statuses besides 200 and 503 that votes may get. */
  readonly allowed?: readonly number[];
  /** Rejects if a promise besides the invariant is not kept. */
  readonly inject: (scene: Scene<AnyHome>) => Promise<unknown>;
}

export interface Scenario {
  /** The home and the fault. */
  readonly title: string;
  /** Never rejects. */
  run(scale: Scale): Promise<Outcome>;
}

interface Outcome {
  /** Of the table in docs/reliability.md. */
  readonly row: Row;
  /** Why it failed; empty if nothing was lost, counted twice or broken. */
  readonly failures: readonly string[];
}

/** What was sent, acknowledged, counted and stored. */
type Tally = Readonly<Record<'S' | 'A' | 'C' | 'B', number>>;

/** The frame of every scenario: start, inject, settle, count, retry, count again. */
export function createScenario<AnyHome extends Home>(
  name: 'standalone' | 'cloud',
  start: (resources: AsyncDisposableStack) => Promise<AnyHome>,
  { fault, promise, pour = 0, allowed = [], inject }: Fault<AnyHome>,
): Scenario {
  return {
    title: `${name}: ${fault}`,
    async run(scale) {
      let row: Row = { Home: name, Fault: fault, Promised: promise };
      const failures: string[] = [];
      try {
        await using resources = new AsyncDisposableStack();
        const home = await start(resources);
        const votes = createVotes(home.address, allowed, scale.pauseMs);
        const stop = votes.pour(pour);
        await inject({ home, votes, scale }).finally(stop);
        await home.heal();
        await until(() => isHealthy(home), 'the server is healthy');
        const after = await count(votes, home);
        await votes.retry();
        const retried = await count(votes, home);
        const { S, A, C, B } = after;
        const counted = C === B ? C : `${C} ≠ ${B}`;
        row = { ...row, S, A, 'C = B': counted, 'After the retries A = C = S = B': retried.C };
        failures.push(...violations(after, retried), ...votes.oddities());
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
      return { row, failures };
    },
  };
}

async function isHealthy(home: Home): Promise<boolean> {
  return fetch(`${home.address()}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function count(votes: Votes, home: Home): Promise<Tally> {
  const games = await home.use((store) => store.recount());
  return {
    S: votes.sent(),
    A: votes.acknowledged(),
    C: games.reduce((sum, { votos }) => sum + (votos ?? 0), 0),
    B: games.reduce((sum, { ballots }) => sum + ballots, 0),
  };
}

function violations(after: Tally, retried: Tally): string[] {
  const rules: [boolean, string][] = [
    [after.A <= after.C, 'A ≤ C: acknowledged votes are lost'],
    [after.C <= after.S, 'C ≤ S: votes were counted twice'],
    [after.C === after.B, 'C = B'],
    [retried.C === retried.B, 'C = B after the retries'],
    [retried.A === retried.S, 'A = S after the retries'],
    [retried.C === retried.S, 'C = S after the retries'],
  ];
  const show = [after, retried].map((tally) => JSON.stringify(tally)).join(', then ');
  return rules.filter(([holds]) => !holds).map(([, rule]) => `broken: ${rule}: ${show}`);
}
