import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { Standing } from '@goty/shared/game';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { responseTo } from '../testing/http.ts';

const ENTRY = resolve(import.meta.dirname, 'standalone.ts');
const START = resolve(import.meta.dirname, '../../../scripts/start.mjs');

interface Environment {
  readonly [name: string]: string;
}

/** Starts a script with only what a test says in its environment. */
function run(environment: Environment, ...args: string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { stdout, stderr } = child;
  return { child, stdout, stderr: text(stderr), exit: once(child, 'exit') };
}

/** Starts the standalone home and waits until it says its address. */
async function start(environment: Environment) {
  const { child, stdout, exit } = run(environment, ENTRY);
  const lines = createInterface(stdout);
  const [line = ''] = await once(lines, 'line');
  const address = line.replace(/^GOTY is open at /, '');
  return { address, child, exit, port: Number(new URL(address).port) };
}

async function vote(port: number, key: string, agent: Agent): Promise<number | undefined> {
  const sent = request({
    agent,
    port,
    method: 'POST',
    path: '/api/goty/hades-2',
    headers: { 'Idempotency-Key': key },
  });
  sent.end();
  const response = await responseTo(sent);
  await text(response);
  return response.statusCode;
}

async function standing(port: number): Promise<Record<string, number>> {
  const response = await responseTo(get({ port, path: '/api/goty/live' }));
  let stream = '';
  for await (const chunk of response.setEncoding('utf8')) {
    stream += chunk;
    const [, json] = /^data: (.*)\n\n/m.exec(stream) ?? [];
    if (!json) continue;
    const standings: Standing[] = JSON.parse(json);
    return Object.fromEntries(standings.map(({ id, votos }) => [id, votos]));
  }
  throw new Error('the stream ended without a standing');
}

function countBallots(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('SELECT count(*) AS ballots FROM ballots').get();
  } finally {
    database.close();
  }
}

test('P1 it says its address, and the votes of before are there at the next start', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const first = await start({ DATABASE });
  expect(await vote(first.port, 'a', new Agent())).toBe(200);
  first.child.kill('SIGTERM');
  expect(await first.exit).toEqual([0, null]);
  const second = await start({ DATABASE });
  expect(await standing(second.port)).toMatchObject({ 'hades-2': 1, 'split-fiction': 0 });
});

test('P5 200 votes over 64 connections, then kill -9: no acknowledged vote is lost', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { child, exit, port } = await start({ DATABASE });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let acknowledged = 0;
  const votes = Array.from({ length: 200 }, async (_, index) => {
    try {
      if ((await vote(port, `key-${index}`, agent)) === 200) acknowledged += 1;
    } catch {
      return; // cut off by the kill: not acknowledged
    }
    // In the middle of it, with votes on their way.
    if (acknowledged === 150) child.kill('SIGKILL');
  });
  await Promise.all(votes);
  await exit;
  agent.destroy();
  expect(acknowledged).toBeGreaterThanOrEqual(150);

  const again = await start({ DATABASE });
  const { 'hades-2': counted = 0 } = await standing(again.port);
  expect(counted).toBeGreaterThanOrEqual(acknowledged);
  expect(counted).toBeLessThanOrEqual(200);

  const retries = new Agent({ keepAlive: true, maxSockets: 64 });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => vote(again.port, `key-${index}`, retries)),
  );
  retries.destroy();
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await standing(again.port)).toMatchObject({ 'hades-2': 200 });
  again.child.kill('SIGTERM');
  await again.exit;
  expect(countBallots(DATABASE)).toEqual({ ballots: 200 });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'P4 %s: votes on their way are answered, streams are closed, and it ends with 0',
  async (signal) => {
    const DATABASE = join(testFolder(), 'goty.sqlite');
    const { child, exit, port } = await start({ DATABASE });
    const streamed = text(await responseTo(get({ port, path: '/api/goty/live' })));
    const agent = new Agent({ keepAlive: true });
    // The head of this vote is there, its body comes only after the signal.
    const late = request({
      agent,
      port,
      method: 'POST',
      path: '/api/goty/hades-2',
      headers: { 'Content-Length': '2' },
    });
    late.flushHeaders();
    expect(await vote(port, 'a', agent)).toBe(200);
    child.kill(signal);
    expect(await streamed).toContain('data: [');
    late.end('{}');
    expect((await responseTo(late)).statusCode).toBe(200);
    expect(await exit).toEqual([0, null]);
    expect(countBallots(DATABASE)).toEqual({ ballots: 2 });
    expect(readdirSync(join(DATABASE, '..'))).toEqual(['goty.sqlite']);
  },
);

test('P2 HOST and VOTE_POLICY reach the server', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const HOST = '127.0.0.2';
  const { address, port } = await start({ DATABASE, HOST, VOTE_POLICY: 'one-per-visitor' });
  expect(address).toBe(`http://127.0.0.2:${port}`);
  const answer = await fetch(`${address}/api/goty/hades-2`, { method: 'POST' });
  expect(answer.headers.get('set-cookie')).toMatch(/^__session=/);
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
});

test('P3 a damaged database with votes beside it is refused and left as it was', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const { child, exit, port } = await start({ DATABASE });
  expect(await vote(port, 'a', new Agent())).toBe(200);
  child.kill('SIGKILL');
  await exit;
  writeFileSync(DATABASE, readFileSync(DATABASE).fill(0xaa, 100, 4_096));
  const files = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  const before = files();
  expect(before.map(([name]) => name)).toEqual(['goty.sqlite', 'goty.sqlite-wal']);
  const refused = run({ DATABASE }, ENTRY);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toMatch(/^The database .* cannot be used: [^\n]+\n$/);
  expect(files()).toEqual(before);
});

test('P6 a second process on the same database is refused in one line', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  await start({ DATABASE });
  const second = run({ DATABASE }, ENTRY);
  expect(await second.exit).toEqual([1, null]);
  expect(await second.stderr).toBe(
    `The database ${DATABASE} is in use by another process: stop that one first.\n`,
  );
});

test('P3 a port in use is one line and nothing is written', async () => {
  const folder = testFolder();
  const { port } = await start({ DATABASE: join(folder, 'first.sqlite') });
  const second = run({ PORT: String(port), DATABASE: join(folder, 'new', 'goty.sqlite') }, ENTRY);
  expect(await second.exit).toEqual([1, null]);
  expect(await second.stderr).toBe(`Port ${port} is in use: stop the other program or set PORT.\n`);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('P3 a bad nominees file is one line and nothing is written', async () => {
  const folder = testFolder();
  const NOMINEES = join(folder, 'nominees.json');
  writeFileSync(NOMINEES, '[{"id":"a","name":"Uno","url":"ftp://a"}]');
  const refused = run({ NOMINEES, DATABASE: join(folder, 'new', 'goty.sqlite') }, ENTRY);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    `The nominees file ${NOMINEES} cannot be used: entry 1, field "url": must be an http(s) address or a path that starts with one /.\n`,
  );
  expect(readdirSync(folder)).toEqual(['nominees.json']);
});

test('P3 a database that is none is one line', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  writeFileSync(DATABASE, 'hello');
  const refused = run({ DATABASE }, ENTRY);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    `${DATABASE} is not a database: move it away or set DATABASE.\n`,
  );
});

test('P3 an older Node is one line', async () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;
  const refused = run({}, '--import', older, START);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    'GOTY needs Node 24 or later and this is 20.19.0: install it from https://nodejs.org and try again.\n',
  );
});
