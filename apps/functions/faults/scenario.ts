import { setTimeout as wait } from 'node:timers/promises';
import type { OperatorStore } from '../src/votes/vote-store.ts';
import { createVotes, type Votes } from './votes.ts';

const SETTLE_MS = 60_000;
const POLL_MS = 50;

/** How much of everything. The short form is part of the tests. */
export interface Scale {
  readonly kills: number;
  /** How long something is gone, locked or suspended, in milliseconds. */
  readonly outageMs: number;
  /** How long votes are sent, in milliseconds. */
  readonly loadMs: number;
  /** Connections that misbehave. */
  readonly connections: number;
  readonly idle: number;
  readonly leavers: number;
}

export const FULL: Scale = {
  kills: 20,
  outageMs: 30_000,
  loadMs: 5_000,
  connections: 500,
  idle: 10_000,
  leavers: 30_000,
};

export const SHORT: Scale = {
  kills: 3,
  outageMs: 2_000,
  loadMs: 500,
  connections: 100,
  idle: 500,
  leavers: 1_000,
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

/** What a scenario works with. */
export interface Scene<AnyHome extends Home> {
  readonly home: AnyHome;
  readonly votes: Votes;
  readonly scale: Scale;
  /** What is closed at the end. */
  readonly resources: AsyncDisposableStack;
}

export interface Scenario {
  readonly home: 'standalone' | 'cloud';
  /** What is injected; unique in its home. */
  readonly fault: string;
  /** What is promised, with the ids of SPEC.md. */
  readonly promise: string;
  /** Rejects if a promise besides the invariant is not kept. */
  readonly run: (scale: Scale) => Promise<Measured>;
}

/** S, A, C and B. */
export interface Tally {
  readonly sent: number;
  readonly acknowledged: number;
  readonly counted: number;
  readonly ballots: number;
}

export interface Measured {
  /** After the fault. */
  readonly after: Tally;
  /** After every key was sent again. */
  readonly retried: Tally;
  /** What broke the invariant; empty if nothing did. */
  readonly broken: readonly string[];
}

export interface ScenarioOptions<AnyHome extends Home> {
  readonly start: (resources: AsyncDisposableStack) => Promise<AnyHome>;
  readonly inject: (scene: Scene<AnyHome>) => Promise<void>;
  /** Statuses besides 200 and 503 that votes may get. */
  readonly allowed?: readonly number[] | undefined;
}

/** The frame of every scenario: start, inject, settle, count, retry, count again. */
export async function runScenario<AnyHome extends Home>(
  { start, inject, allowed = [] }: ScenarioOptions<AnyHome>,
  scale: Scale,
): Promise<Measured> {
  const resources = new AsyncDisposableStack();
  try {
    const home = await start(resources);
    const votes = createVotes(home.address, allowed);
    await inject({ home, votes, scale, resources });
    await home.heal();
    await until(() => isHealthy(home), 'the server is healthy');
    const after = await count(votes, home);
    await votes.retry();
    const retried = await count(votes, home);
    return { after, retried, broken: [...violations(after, retried), ...votes.oddities()] };
  } finally {
    await resources.disposeAsync();
  }
}

/** Resolves once `condition` holds. Rejects after a minute. */
export async function until(condition: () => boolean | Promise<boolean>, what: string) {
  const deadline = performance.now() + SETTLE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await wait(POLL_MS);
  }
}

/** @throws if a promise of the scenario is not kept */
export function check(isKept: boolean, promise: string) {
  if (!isKept) throw new Error(`not kept: ${promise}`);
}

async function isHealthy(home: Home): Promise<boolean> {
  try {
    return (await fetch(`${home.address()}/health`)).ok;
  } catch {
    return false;
  }
}

async function count(votes: Votes, home: Home): Promise<Tally> {
  const games = await home.use((store) => store.recount());
  return {
    ...votes.counts(),
    counted: games.reduce((sum, { votos }) => sum + (votos ?? 0), 0),
    ballots: games.reduce((sum, { ballots }) => sum + ballots, 0),
  };
}

function violations(after: Tally, retried: Tally): string[] {
  const rules: [boolean, string][] = [
    [after.acknowledged <= after.counted, 'A ≤ C: acknowledged votes are lost'],
    [after.counted <= after.sent, 'C ≤ S: votes were counted twice'],
    [after.counted === after.ballots, 'C = B'],
    [retried.counted === retried.ballots, 'C = B after the retries'],
    [retried.acknowledged === retried.sent, 'A = S after the retries'],
    [retried.counted === retried.sent, 'C = S after the retries'],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => `broken: ${rule}`);
}
