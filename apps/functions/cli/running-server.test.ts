import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { run } from '../testing/operator-homes.ts';
import { refusal, start, vote, votosIn } from '../testing/process.ts';
import { openServerStore } from '../testing/sqlite.ts';

test('O9 a back-up beside the -wal file of a killed server is refused, and alone it is restored', async () => {
  const { child, DATABASE, exit, port } = await start();
  const folder = dirname(DATABASE);
  expect(await vote(port, 'before')).toBe(200);
  const said = await run({ DATABASE }, folder, 'backup', 'copy.sqlite');
  expect(said).toMatchObject({ status: 0, stderr: '' });
  expect(await vote(port, 'after')).toBe(200);
  child.kill('SIGKILL');
  await exit;
  copyFileSync(join(folder, 'copy.sqlite'), DATABASE);
  expect(await refusal({ DATABASE })).toMatch(
    /goty\.sqlite-wal has votes of the database that was/,
  );
  renameSync(`${DATABASE}-wal`, join(folder, 'old-wal'));
  await start({ DATABASE });
  expect(votosIn(DATABASE)['hades-2']).toBe(1);
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
