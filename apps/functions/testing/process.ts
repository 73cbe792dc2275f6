import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Agent, get } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { Standing } from '@goty/shared/game';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { expect, onTestFinished } from 'vitest';
import { exchange, responseTo } from './http.ts';

/** The entry script of the standalone home. */
const ENTRY = resolve(import.meta.dirname, '../src/standalone.ts');
/** The entry script of the operator's commands. */
export const GOTY = resolve(import.meta.dirname, '../cli/goty.ts');

interface Environment {
  readonly [name: string]: string;
}

/** Runs Node with these arguments. Besides PATH and PORT=0, the environment is what is given. */
export function run(environment: Environment, ...args: string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    // Tests send more votes in a minute than people do.
    env: { PATH: process.env.PATH, PORT: '0', VOTES_PER_MINUTE: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { stdout, stderr } = child;
  return { child, stdout, stderr: text(stderr), exit: once(child, 'exit') };
}

/** Starts the standalone home and waits until it prints its address. */
export async function start(environment: Environment) {
  const { child, stdout, stderr, exit } = run(environment, ENTRY);
  const lines = createInterface(stdout);
  const [line = ''] = await once(lines, 'line');
  const address = line.replace(/^.* GOTY is open at /, '');
  return { address, child, exit, stderr, port: Number(new URL(address).port) };
}

/** Starts the standalone home where it cannot start. Resolves with what it says before its exit with 1. */
export async function refusal(environment: Environment): Promise<string> {
  const { exit, stderr } = run(environment, ENTRY);
  const [said, code] = await Promise.all([stderr, exit]);
  expect(code).toEqual([1, null]);
  return said;
}

/** Votes for Hades II with that key. Resolves with the HTTP status. */
export async function vote(port: number, key: string, agent: Agent): Promise<number | undefined> {
  const headers = { [IDEMPOTENCY_KEY]: key };
  return (await exchange({ agent, port, method: 'POST', path: '/api/goty/hades-2', headers }))
    .status;
}

/** The votes of each game by id, from the first event of the live stream. */
export async function readStandings(port: number): Promise<Record<string, number>> {
  const response = await responseTo(get({ port, path: '/api/goty/live' }));
  let stream = '';
  for await (const chunk of response.setEncoding('utf8')) {
    stream += chunk;
    const [, json] = /^data: (.*)\n\n/m.exec(stream) ?? [];
    if (!json) continue;
    const standings: Standing[] = JSON.parse(json);
    return Object.fromEntries(standings.map(({ id, votos }) => [id, votos]));
  }
  throw new Error('the stream ended without standings');
}

/** The number of ballots in a database file, as `{ballots}`. */
export function countBallots(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('SELECT count(*) AS ballots FROM ballots').get();
  } finally {
    database.close();
  }
}
