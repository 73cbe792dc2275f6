import { copyFileSync, renameSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { ENTRY, readStandings, run, start, vote } from '../testing/process.ts';

const CLI = resolve(import.meta.dirname, 'goty.ts');

test('O9 20 back-ups under 64 connections are sound, and one can be restored', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const server = await start({ DATABASE });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let isVoting = true;
  let acknowledged = 0;
  const voters = Array.from({ length: 64 }, async (_, voter) => {
    for (let press = 0; isVoting; press += 1) {
      expect(await vote(server.port, `key-${voter}-${press}`, agent)).toBe(200);
      acknowledged += 1;
    }
  });

  const backups: string[] = [];
  for (let number = 0; number < 20; number += 1) {
    const file = join(folder, `backup-${number}.sqlite`);
    const before = acknowledged;
    const { exit, stderr } = run({ DATABASE, INIT_CWD: folder }, CLI, 'backup', file);
    expect([await stderr, await exit]).toEqual(['', [0, null]]);
    const { check, votos, ballots } = inspect(file);
    expect([check, votos]).toEqual(['ok', ballots]);
    expect(votos).toBeGreaterThanOrEqual(before);
    backups.push(file);
  }
  isVoting = false;
  await Promise.all(voters);
  agent.destroy();
  expect((await readStandings(server.port))['hades-2']).toBe(acknowledged);

  // A back-up beside the -wal file of a killed server must not bring other votes back.
  server.child.kill('SIGKILL');
  await server.exit;
  const [backup = ''] = backups;
  copyFileSync(backup, DATABASE);
  const refused = run({ DATABASE }, ENTRY);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toMatch(/goty\.sqlite-wal has votes of the database that was there/);
  renameSync(`${DATABASE}-wal`, join(folder, 'old-wal'));
  const restored = await start({ DATABASE });
  expect(await readStandings(restored.port)).toMatchObject({ 'hades-2': inspect(backup).votos });
});

test('O9 a back-up replaces a file only with --yes', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const server = await start({ DATABASE });
  const file = join(folder, 'backup.sqlite');
  const backUp = async (...options: string[]) => {
    const { exit, stdout } = run({ DATABASE }, CLI, 'backup', file, ...options);
    return [await text(stdout), (await exit)[0]];
  };
  expect(await backUp()).toEqual([`${file} has 0 votes.\n`, 0]);
  expect(await backUp()).toEqual(['', 1]);
  await vote(server.port, 'a', new Agent());
  expect(await backUp('--yes')).toEqual([`${file} has 1 vote.\n`, 0]);
});

function inspect(path: string) {
  const database = new DatabaseSync(path);
  const { integrity_check } = database.prepare('PRAGMA integrity_check').get() ?? {};
  const { votos, ballots } =
    database
      .prepare(
        `SELECT (SELECT sum(votos) FROM goty) AS votos, (SELECT count(*) FROM ballots) AS ballots`,
      )
      .get() ?? {};
  database.close();
  return { check: integrity_check, votos: Number(votos), ballots: Number(ballots) };
}
