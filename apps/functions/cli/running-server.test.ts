import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { run } from '../testing/operator-homes.ts';
import { refusal, start, vote } from '../testing/process.ts';
import { onFile, openServerStore } from '../testing/sqlite.ts';

/** A server in its own process, and 64 connections that vote until `stop`. */
async function startVoting() {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const server = await start({ DATABASE });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  onTestFinished(() => agent.destroy());
  let isVoting = true;
  const statuses: (number | undefined)[] = [];
  const voters = Array.from({ length: 64 }, async (_, voter) => {
    for (let press = 0; isVoting; press += 1) {
      statuses.push(await vote(server.port, `key-${voter}-${press}`, agent));
    }
  });
  return {
    ...server,
    DATABASE,
    folder,
    goty: (...args: string[]) => run({ DATABASE }, folder, ...args),
    acknowledged: () => statuses.filter((status) => status === 200).length,
    async stop() {
      isVoting = false;
      await Promise.all(voters);
      return new Set(statuses);
    },
  };
}

test('O9 20 back-ups under 64 connections are sound, and one can be restored', async () => {
  const { acknowledged, child, DATABASE, exit, folder, goty, stop } = await startVoting();
  for (let number = 0; number < 20; number += 1) {
    const before = acknowledged();
    expect(await goty('backup', `${number}.sqlite`)).toMatchObject({ status: 0, stderr: '' });
    const { check, votos, ballots } = inspect(join(folder, `${number}.sqlite`));
    expect([check, votos]).toEqual(['ok', ballots]);
    expect(votos).toBeGreaterThanOrEqual(before);
  }
  expect(await stop()).toEqual(new Set([200]));
  expect(inspect(DATABASE).votos).toBe(acknowledged());

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
  expect(inspect(DATABASE)).toEqual(inspect(backup));
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

test('T2 votes during commands are each counted once or refused, and each change is known', async () => {
  const { acknowledged, child, DATABASE, exit, goty, port, stop } = await startVoting();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  let extra = 0;
  const voteNow = async () => {
    const status = await vote(port, crypto.randomUUID(), agent);
    if (status === 200) extra += 1;
    return status;
  };
  const nominees = resolve(import.meta.dirname, '../../../nominees.json');
  expect((await goty('close')).status).toBe(0);
  await expect.poll(voteNow).toBe(403);
  expect((await goty('nominees', 'set', nominees)).status).toBe(0);
  expect((await goty('open')).status).toBe(0);
  await expect.poll(voteNow).toBe(200);
  expect((await goty('audit')).status).toBe(0);
  expect(await stop()).toEqual(new Set([200, 403]));
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(inspect(DATABASE).ballots).toBe(acknowledged() + extra);
});

function inspect(path: string) {
  const columns = onFile(path, (database) =>
    database
      .prepare(
        `SELECT integrity_check AS 'check', (SELECT sum(votos) FROM goty) AS votos,
                (SELECT count(*) FROM ballots) AS ballots FROM pragma_integrity_check`,
      )
      .get(),
  );
  return {
    check: columns?.check,
    votos: Number(columns?.votos),
    ballots: Number(columns?.ballots),
  };
}
