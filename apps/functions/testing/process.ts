import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { expect, onTestFinished } from 'vitest';
import { testFolder } from './folder.ts';
import { exchange } from './http.ts';
import { onFile } from './sqlite.ts';

/** The entry script of the standalone home. */
const ENTRY = resolve(import.meta.dirname, '../src/standalone.ts');
/** The entry script of the operator's commands. */
export const GOTY = resolve(import.meta.dirname, '../cli/goty.ts');

interface Environment {
  readonly [name: string]: string;
}

interface Runner extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
  readonly node?: string;
}

/** Runs Node with these arguments. Besides PATH and PORT=0, the environment is what is given. */
export function run(environment: Environment, ...args: string[]) {
  return runAs({}, environment, ...args);
}

/** The same with another Node, folder or user. */
export function runAs(
  { node = process.execPath, ...options }: Runner,
  environment: Environment,
  ...args: string[]
) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], {
    ...options,
    // Tests send more votes in a minute than people do.
    env: { PATH: process.env.PATH, PORT: '0', VOTES_PER_MINUTE: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { stdout, stderr } = child;
  return { child, stdout, stderr: text(stderr), exit: once(child, 'exit') };
}

/** Starts the standalone home and waits until it prints its address. By default, its database is new. */
export async function start(environment: Environment = {}) {
  const { DATABASE = join(testFolder(), 'goty.sqlite') } = environment;
  return { DATABASE, ...(await opened(run({ ...environment, DATABASE }, ENTRY))) };
}

/** A server that has printed its address. */
export async function opened(server: ReturnType<typeof run>) {
  const { child, exit, stderr, stdout } = server;
  const [line = ''] = await once(createInterface(stdout), 'line');
  const address = line.replace(/^.* GOTY is open at /, '');
  return {
    address,
    child,
    exit,
    stderr,
    port: Number(new URL(address).port),
    /** Stops it, as an operator does. */
    async stop(code = 0) {
      child.kill('SIGTERM');
      expect(await exit).toEqual([code, null]);
    },
  };
}

/** Up to 64 connections, for the running test. */
export function manyConnections(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Starts the standalone home where it cannot start. Resolves with what it says before its exit with 1. */
export async function refusal(environment: Environment): Promise<string> {
  const { exit, stderr } = run(environment, ENTRY);
  const [said, code] = await Promise.all([stderr, exit]);
  expect(code).toEqual([1, null]);
  return said;
}

/** Votes for Hades II with that key. Resolves with the HTTP status. */
export async function vote(port: number, key: string, agent: Agent | false = false) {
  const headers = { [IDEMPOTENCY_KEY]: key };
  const request = { agent, port, method: 'POST', path: '/api/goty/hades-2', headers };
  return (await exchange(request)).status;
}

/** The votes of each game by id, in a database file. */
export function votosIn(path: string): Record<string, number> {
  const games = onFile(path, (database) => database.prepare('SELECT id, votos FROM goty').all());
  return Object.fromEntries(games.map(({ id, votos }) => [id, Number(votos)]));
}

/** The number of ballots in a database file, as `{ballots}`. */
export function countBallots(path: string): unknown {
  return onFile(path, (database) =>
    database.prepare('SELECT count(*) AS ballots FROM ballots').get(),
  );
}
