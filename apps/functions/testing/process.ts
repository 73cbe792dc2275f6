import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { expect, onTestFinished } from 'vitest';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { testFolder } from './folder.ts';
import { exchange } from './http.ts';
import { type ProgramOptions, runProgram, startProgram } from './program.ts';
import { onFile } from './sqlite.ts';

export const ENTRY = resolve(import.meta.dirname, '../src/standalone.ts');
export const GOTY = resolve(import.meta.dirname, '../cli/goty.ts');

type Environment = Readonly<NodeJS.Dict<string>>;
/** Tests send more votes in a minute than people do. */
const USUAL = { PORT: '0', VOTES_PER_MINUTE: '0' };

/** Runs Node with these arguments, for the running test. */
export function run(environment: Environment, args: string[], options?: ProgramOptions) {
  const program = runProgram(args, { ...USUAL, ...environment }, options);
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
}

/** Runs a command of package.json with these arguments and options of Node, as pnpm does once all is installed. */
export function runCommand(
  name: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
) {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const [node, ...own] = scripts[name].split(' ');
  expect(node).toBe('node');
  const environment = { npm_lifecycle_event: name };
  return run(environment, [...nodeOptions, ...own, ...args], { cwd: PROJECT_ROOT });
}

/** Starts the standalone home, or another server, and waits until it prints its address. By default, its database is new. */
export async function start(
  environment: Environment = {},
  args = [ENTRY],
  options?: ProgramOptions,
) {
  const own = { DATABASE: join(testFolder(), 'goty.sqlite'), ...environment };
  const server = await startProgram(args, { ...USUAL, ...own }, options);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const stop = async (code = 0) => expect(await server.stop()).toBe(code);
  return { ...server, DATABASE: own.DATABASE ?? '', stop };
}

export function manyConnections(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Starts the standalone home where it cannot start. Resolves with what it says before its exit with 1. */
export async function refusal(environment: Environment): Promise<string> {
  const { exit, stderr } = run(environment, [ENTRY]);
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

export function votosIn(path: string): Record<string, number> {
  const games = onFile(path, (database) => database.prepare('SELECT id, votos FROM goty').all());
  return Object.fromEntries(games.map(({ id, votos }) => [id, Number(votos)]));
}

export function countBallots(path: string): unknown {
  return onFile(path, (database) =>
    database.prepare('SELECT count(*) AS ballots FROM ballots').get(),
  );
}
