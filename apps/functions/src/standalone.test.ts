import { readdirSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { responseTo } from '../testing/http.ts';
import { countBallots, readStandings, start, vote } from '../testing/process.ts';

test('P1 it prints its address, and votes survive a restart', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const first = await start({ DATABASE });
  expect(await vote(first.port, 'a', new Agent())).toBe(200);
  first.child.kill('SIGTERM');
  expect(await first.exit).toEqual([0, null]);
  const second = await start({ DATABASE });
  expect(await readStandings(second.port)).toMatchObject({ 'hades-2': 1, 'split-fiction': 0 });
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
    // With votes in flight.
    if (acknowledged === 150) child.kill('SIGKILL');
  });
  await Promise.all(votes);
  await exit;
  agent.destroy();
  expect(acknowledged).toBeGreaterThanOrEqual(150);

  const again = await start({ DATABASE });
  const { 'hades-2': counted = 0 } = await readStandings(again.port);
  expect(counted).toBeGreaterThanOrEqual(acknowledged);
  expect(counted).toBeLessThanOrEqual(200);

  const retries = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => vote(again.port, `key-${index}`, retries)),
  );
  retries.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await readStandings(again.port)).toMatchObject({ 'hades-2': 200 });
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
    expect(readdirSync(join(DATABASE, '..'))).toEqual(['goty.sqlite']);
  },
);

test('P2 HOST and VOTE_POLICY reach the server', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const HOST = '127.0.0.2';
  const { address, port } = await start({ DATABASE, HOST, VOTE_POLICY: 'one-per-visitor' });
  expect(address).toBe(`http://127.0.0.2:${port}`);
  const response = await fetch(`${address}/api/goty/hades-2`, { method: 'POST' });
  expect(response.headers.get('set-cookie')).toMatch(/^__session=/);
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
});
