import { readdirSync, rmSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { responseTo } from '../testing/http.ts';
import { countBallots, start, vote, votosIn } from '../testing/process.ts';

test('P1 P5 200 votes over 64 connections, then kill -9: no acknowledged vote is lost', async () => {
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
    // With votes in flight.
    if (acknowledged === 150) child.kill('SIGKILL');
  });
  await Promise.all(votes);
  await exit;
  agent.destroy();
  expect(acknowledged).toBeGreaterThanOrEqual(150);

  const again = await start({ DATABASE });
  const { 'hades-2': counted } = votosIn(DATABASE);
  expect(counted).toBeGreaterThanOrEqual(acknowledged);
  expect(counted).toBeLessThanOrEqual(200);

  const retries = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => vote(again.port, `key-${index}`, retries)),
  );
  retries.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(votosIn(DATABASE)).toMatchObject({ 'hades-2': 200 });
  again.child.kill('SIGTERM');
  await again.exit;
  expect(countBallots(DATABASE)).toEqual({ ballots: 200 });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'P4 %s: votes in flight are answered, streams are closed, and the exit code is 0',
  async (signal) => {
    const DATABASE = join(testFolder(), 'goty.sqlite');
    const { child, exit, port } = await start({ DATABASE });
    const streamed = text(await responseTo(get({ port, path: '/api/goty/live' })));
    const agent = new Agent({ keepAlive: true });
    // The server has the headers of this vote before the signal, and its body only after it.
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
    expect(readdirSync(join(DATABASE, '..'))).toEqual(['goty.sqlite', 'goty.sqlite-lock']);
  },
);

test('P9 when the database is deleted, votes and health are 503, and the exit code is 1', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { child, exit, port, stderr } = await start({ DATABASE });
  expect(await vote(port, 'a')).toBe(200);
  rmSync(DATABASE);
  const names = readdirSync(join(DATABASE, '..'));
  expect(await vote(port, 'b')).toBe(503);
  const health = () => fetch(`http://127.0.0.1:${port}/api/health`);
  await expect.poll(async () => (await health()).status).toBe(503);
  child.kill('SIGTERM');
  expect(await exit).toEqual([1, null]);
  const why = `${DATABASE} or its -wal file was deleted, moved, replaced or overwritten`;
  expect(await stderr).toContain(`Failed to commit votes: UnavailableError: ${why}`);
  expect(await stderr).toContain(`GOTY is closed, but its votes are not where they were`);
  expect(readdirSync(join(DATABASE, '..'))).toEqual(names);
});

test('P10 others can read and write the database while votes arrive', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { child, exit, port } = await start({ DATABASE });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const database = new DatabaseSync(DATABASE, { timeout: 5_000 });
  const sums = database.prepare(`SELECT (SELECT sum(votos) FROM goty) AS votos,
                                        (SELECT count(*) FROM ballots) AS ballots`);
  const rename = database.prepare("UPDATE goty SET name = ? WHERE id = 'hades-2'");
  const votes = Array.from({ length: 500 }, async (_, index) => {
    const status = await vote(port, `key-${index}`, agent);
    const { votos, ballots } = sums.get() ?? {};
    if (index % 10 === 0) rename.run(`Hades ${index}`);
    return [status, votos === ballots];
  });
  expect(new Set((await Promise.all(votes)).map(String))).toEqual(new Set(['200,true']));
  let streamed = '';
  const stream = await responseTo(get({ port, path: '/api/goty/live' }));
  stream.setEncoding('utf8').on('data', (chunk) => {
    streamed += chunk;
  });
  rename.run('Hades III');
  await expect.poll(() => streamed).toContain('Hades III');
  database.exec("INSERT INTO goty VALUES ('new', 'Nuevo', '/covers/new.svg', 0)");
  // A vote for a new nominee counts at once.
  const first = await fetch(`http://127.0.0.1:${port}/api/goty/new`, { method: 'POST' });
  expect(first.status).toBe(200);
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/api/goty`)).text())
    .toContain('Hades III');
  expect(sums.get()).toEqual({ votos: 501, ballots: 501 });
  database.close();
  agent.destroy();
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('P2 P12 HOST and VOTE_POLICY reach the server, and a misspelt variable is named', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const environment = { HOST: '127.0.0.2', VOTE_POLICY: 'one-per-visitor', VOTE_POLCY: 'x' };
  const { address, child, port, stderr } = await start({ DATABASE, ...environment });
  expect(address).toBe(`http://127.0.0.2:${port}`);
  const response = await fetch(`${address}/api/goty/hades-2`, { method: 'POST' });
  expect(response.headers.get('set-cookie')).toMatch(/^__session=/);
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
  child.kill('SIGTERM');
  expect(await stderr).toContain('VOTE_POLCY is not a variable of GOTY: is it VOTE_POLICY?\n');
});
