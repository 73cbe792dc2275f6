import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { countBallots, run, start, vote } from '../testing/process.ts';

const CLI = resolve(import.meta.dirname, 'goty.ts');

test('T2 a running server learns at once that the vote was closed or opened', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { port } = await start({ DATABASE });
  const agent = new Agent();
  const goty = async (...args: string[]) => (await run({ DATABASE }, CLI, ...args).exit)[0];
  const voteNow = () => vote(port, crypto.randomUUID(), agent);
  expect(await voteNow()).toBe(200);
  expect(await goty('close')).toBe(0);
  await expect.poll(voteNow, { timeout: 2_000 }).toBe(403);
  const closed = await fetch(`http://127.0.0.1:${port}/api/status`);
  expect(await closed.json()).toEqual({
    now: expect.any(Number),
    closesAt: expect.any(Number),
    nominees: expect.any(String),
    onePerVisitor: false,
  });
  expect(await goty('open')).toBe(0);
  await expect.poll(voteNow, { timeout: 2_000 }).toBe(200);
});

test('T2 votes during commands are each counted once or refused', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { child, exit, port } = await start({ DATABASE });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let isVoting = true;
  let acknowledged = 0;
  const voters = Array.from({ length: 64 }, async (_, voter) => {
    for (let press = 0; isVoting; press += 1) {
      const status = await vote(port, `key-${voter}-${press}`, agent);
      expect([200, 403]).toContain(status);
      if (status === 200) acknowledged += 1;
    }
  });
  const nominees = resolve(import.meta.dirname, '../../../nominees.json');
  for (const args of [['close'], ['nominees', 'set', nominees], ['open'], ['audit']]) {
    expect(await run({ DATABASE }, CLI, ...args).exit).toEqual([0, null]);
  }
  isVoting = false;
  await Promise.all(voters);
  agent.destroy();
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(acknowledged).toBeGreaterThan(0);
  expect(countBallots(DATABASE)).toEqual({ ballots: acknowledged });
});
