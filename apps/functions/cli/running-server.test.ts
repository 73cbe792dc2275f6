import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { run } from '../testing/operator-homes.ts';
import { manyConnections, refusal, start, vote, votosIn } from '../testing/process.ts';
import { openServerStore } from '../testing/sqlite.ts';

test('O9 five back-ups under 64 connections are sound, and one can be restored', async () => {
  const { child, DATABASE, exit, port } = await start();
  const folder = dirname(DATABASE);
  const agent = manyConnections();
  const votesIn = (name: string) => votosIn(join(folder, name))['hades-2'];
  let isVoting = true;
  let acknowledged = 0;
  const voters = Array.from({ length: 64 }, async (_, voter) => {
    for (let press = 0; isVoting; press += 1) {
      expect(await vote(port, `key-${voter}-${press}`, agent)).toBe(200);
      acknowledged += 1;
    }
  });
  for (let number = 0; number < 5; number += 1) {
    const before = acknowledged;
    const backup = await run({ DATABASE }, folder, 'backup', `${number}.sqlite`);
    expect(backup).toMatchObject({ status: 0, stderr: '' });
    // A server opens only a database that is sound, and whose sums are right.
    await openServerStore(join(folder, `${number}.sqlite`)).close();
    expect(votesIn(`${number}.sqlite`)).toBeGreaterThanOrEqual(before);
  }
  isVoting = false;
  await Promise.all(voters);
  expect(votesIn('goty.sqlite')).toBe(acknowledged);

  // A back-up beside the -wal file of a killed server must not bring other votes back.
  child.kill('SIGKILL');
  await exit;
  const backup = join(folder, '0.sqlite');
  copyFileSync(backup, DATABASE);
  expect(await refusal({ DATABASE })).toMatch(
    /goty\.sqlite-wal has votes of the database that was/,
  );
  renameSync(`${DATABASE}-wal`, join(folder, 'old-wal'));
  await start({ DATABASE });
  expect(votesIn('goty.sqlite')).toBe(votesIn('0.sqlite'));
});

test('P10 a server that starts while a command writes waits for it', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  await openServerStore(DATABASE).close();
  rmSync(`${DATABASE}-lock`);
  const command = new DatabaseSync(DATABASE);
  command.exec('BEGIN EXCLUSIVE');
  const starting = start({ DATABASE });
  // It has claimed the database and is about to open it.
  await expect.poll(() => existsSync(`${DATABASE}-lock`)).toBe(true);
  command.exec('COMMIT');
  command.close();
  expect((await fetch(`${(await starting).address}/api/health`)).status).toBe(200);
});
