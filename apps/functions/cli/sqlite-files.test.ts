import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { openStandalone, openVote, run } from '../testing/operator-homes.ts';
import { onFile, openServerStore } from '../testing/sqlite.ts';

test('P13 many votes are recounted without a temporary file', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const SQLITE_TMPDIR = join(folder, 'tmp');
  mkdirSync(SQLITE_TMPDIR);
  await openServerStore(DATABASE).close();
  const game = 'a'.repeat(64);
  onFile(DATABASE, (database) =>
    database.exec(`
      INSERT INTO goty VALUES ('${game}', 'A', '/a', 60000);
      WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT 60000)
      INSERT INTO ballots SELECT 'key-' || id, '${game}', 1 FROM ids`),
  );
  // A file that is created and removed changes its folder.
  const { mtimeNs } = statSync(SQLITE_TMPDIR, { bigint: true });
  for (const args of [['audit'], ['backup', 'copy.sqlite']]) {
    expect(run({ DATABASE, SQLITE_TMPDIR }, folder, ...args).status).toBe(0);
  }
  expect(statSync(SQLITE_TMPDIR, { bigint: true }).mtimeNs).toBe(mtimeNs);
});

const CLI = resolve(import.meta.dirname, 'goty.ts');

test('O7 a reset whose file is cut off by a full disk removes nothing', async ({ skip }) => {
  skip(process.platform !== 'linux', 'the size of a file can be limited on Linux only');
  const { folder, goty, use } = await openVote(openStandalone);
  goty('nominees', 'set', 'n.csv');
  const ids = Array.from({ length: 1_500 }, (_, index) => `key-${index}`);
  await use((store) => store.commit(ids.map((id) => ({ id, game: 'a', at: 5 }))));
  goty('export', 'whole.ndjson');
  const { size } = statSync(join(folder, 'whole.ndjson'));
  expect(size).toBeLessThan(65_536);
  const DATABASE = join(folder, 'goty.sqlite');
  const { status, stderr } = spawnSync(
    'prlimit',
    [`--fsize=${size - 20}`, process.execPath, CLI, 'reset', 'new.ndjson', '--yes'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, DATABASE, INIT_CWD: folder } },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/new.ndjson cannot be written: .*/)]);
  expect(await use((store) => store.recount())).toMatchObject([{ ballots: 1_500 }, {}]);
  expect(readdirSync(folder).filter((name) => name.startsWith('new'))).toEqual([]);
});

test.each([['backup'], ['export'], ['reset']])(
  'O8 %s never writes over the database, and a file that it cannot write is one line',
  async (command) => {
    const { folder, goty } = await openVote(openStandalone);
    symlinkSync('.', join(folder, 'link'));
    const before = readdirSync(folder);
    const args = command === 'export' ? [] : ['--yes'];
    for (const end of ['', '-wal', '-shm', '-journal', '-lock']) {
      for (const name of [`goty.sqlite${end}`, join('link', `goty.sqlite${end}`)]) {
        expect(goty(command, name, ...args)).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(/^[^\n]* is a file of the database [^\n]*\n$/),
        });
      }
    }
    expect(goty(command, 'none/vote', ...args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^[^\n]*none\/vote cannot be written: [^\n]*\n$/),
    });
    expect(readdirSync(folder)).toEqual(before);
  },
);
