import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { patientClock } from '../testing/clock.ts';
import { testFolder } from '../testing/folder.ts';
import { HOMES, openStandalone, openVote, run } from '../testing/operator-homes.ts';
import { GOTY, run as spawnNode } from '../testing/process.ts';
import { onFile, openServerStore, testDatabase } from '../testing/sqlite.ts';

test.each([
  [0, /^Usage: goty results /, ['results', '--help']],
  [1, /^There is no database [^\n]*\n$/, ['results']],
  [2, /unknown command/, ['unknown']],
  [2, /missing required argument/, ['nominees', 'set']],
  [
    2,
    /\nSuch as: goty init games\.csv --opens 2026-[^\n]*\nIn games\.csv: id,name,url, /,
    ['init'],
  ],
  [2, /unknown option/, ['results', '--nonsense']],
  // Each option says by itself what it is.
  [0, /^(?![\s\S]*likewise)[\s\S]*--closes <time> +when voting closes/, ['init', '--help']],
  [
    0,
    /^(?![\s\S]*likewise)[\s\S]*--closes <time> +when voting closes, or never/,
    ['times', '--help'],
  ],
  [0, /^(?![\s\S]*likewise)[\s\S]*--to <time> +after the last vote/, ['void', '--help']],
] as const)('O8 exit code %i has its text, %s: %s', async (code, said, args) => {
  const folder = testFolder();
  const { status, stdout, stderr } = await run({ DATABASE: join(folder, 'none') }, folder, ...args);
  expect(status).toBe(code);
  expect(code === 0 ? stdout : stderr).toMatch(said);
});

for (const { name, home, isMissing, isStandalone } of HOMES) {
  test.skipIf(isMissing)(
    `O8 in ${name} a command names its vote beside what it prints`,
    async () => {
      const { done, folder, run: runHere, serve } = await openVote(home, { a: [] });
      const vote = isStandalone
        ? join(folder, 'goty.sqlite')
        : 'project demo-.* in the emulator at .*';
      const alone = isStandalone ? ' No server is running on it\\.' : '';
      for (const command of ['status', 'close', 'results --json', 'export v.ndjson']) {
        const { vote: named } = await runHere(...command.split(' '));
        expect(named).toMatch(new RegExp(`^Vote: ${vote}\\.${alone}\n$`));
      }
      await done('open');
      await serve();
      expect((await runHere('status')).vote).toMatch(new RegExp(`^Vote: ${vote}\\.\n$`));
    },
  );
}

test('O8 a reader that closes the pipe, such as `head`, is no failure', async () => {
  const { exit, stderr, stdout } = spawnNode({}, [GOTY, '--help']);
  stdout.destroy();
  expect([await stderr, await exit]).toEqual(['', [0, null]]);
});

/** Prints each module that is loaded. */
const LISTING = `data:text/javascript,import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })`;

test('O8 a command loads the files that it needs, not those of other commands or of the API', async () => {
  const { path: DATABASE } = testDatabase();
  await openServerStore(DATABASE).close();
  const { exit, stderr } = spawnNode({ DATABASE }, ['--import', LISTING, GOTY, 'status']);
  const loaded = await stderr;
  expect(await exit).toEqual([0, null]);
  expect(loaded).toContain('/cli/commands/times.ts\n');
  expect(loaded).not.toMatch(
    /\/src\/(http|standalone|cloud|firestore)\/|\/cli\/commands\/(?!times)/,
  );
});

test.each([
  [
    'locked',
    'BEGIN IMMEDIATE',
    /^1: [^\n]*goty\.sqlite: database is locked\. Another program is writing: [^\n]*\n$/,
  ],
  [
    'on a full disk',
    `CREATE TRIGGER full BEFORE INSERT ON ballots BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    /^1: [^\n]*goty\.sqlite: disk full\. [^\n]*\n$/,
  ],
])('O8 a database that is %s is one line, which does not blame the file', async (...given) => {
  const [, sql, line] = given;
  const { done, folder, says } = await openVote(openStandalone, { a: ['1'] });
  await done('reset', 'vote.ndjson', '--yes');
  const path = join(folder, 'goty.sqlite');
  openServerStore(path);
  const other = new DatabaseSync(path);
  other.exec(sql);
  // The command does not wait for real.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 60_000;
    return now;
  });
  const said = await says('import', 'vote.ndjson');
  other.close();
  expect(said).toMatch(line);
});

test('O8 a Firestore that does not answer is one line and exit code 1', async () => {
  vi.spyOn(patientClock, 'after').mockImplementation((_ms, end) => {
    end();
    return () => {};
  });
  const unreachable = { FIRESTORE_EMULATOR_HOST: '127.0.0.1:9' };
  expect(await run(unreachable, testFolder(), 'results', '--project', 'demo-x')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^Firestore of demo-x: [^\n]+FIRESTORE_EMULATOR_HOST=127.0.0.1:9 running\?\)\n$/,
    ),
  });
});

test('O8 no command writes over the database, and a file that it cannot write is one line', async () => {
  const { folder, says } = await openVote(openStandalone);
  symlinkSync('.', join(folder, 'link'));
  const before = readdirSync(folder);
  const ends = ['', '-wal', '-shm', '-journal', '-lock'];
  for (const command of ['export', 'reset']) {
    const args = command === 'export' ? [] : ['--yes'];
    for (const name of ends.flatMap((end) => [`goty.sqlite${end}`, `link/goty.sqlite${end}`])) {
      const isRefused = /^1: [^\n]* is a file of the database [^\n]*\n$/;
      expect(await says(command, name, ...args)).toMatch(isRefused);
    }
    const cannot = /^1: [^\n]*none\/vote cannot be written: [^\n]*\n$/;
    expect(await says(command, 'none/vote', ...args)).toMatch(cannot);
  }
  expect(readdirSync(folder)).toEqual(before);
});

test('O13 an export replaces no file, no link and no device', async () => {
  const { folder, says } = await openVote(openStandalone, { a: ['1'] });
  const file = join(folder, 'vote.ndjson');
  const link = join(folder, 'link');
  expect(await says('export', file)).toMatch(/^0: Wrote 1 ballot of /);
  symlinkSync(join(folder, 'nowhere'), link);
  for (const kept of [file, link, '/dev/null']) {
    expect(await says('export', kept)).toBe(`1: ${kept} exists: name another file.\n`);
  }
  expect(await says('export', 'x'.repeat(300))).toMatch(/^1: ENAMETOOLONG[^\n]*\n$/);
});

test('P13 many votes are recounted and exported without a temporary file', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const SQLITE_TMPDIR = join(folder, 'tmp');
  mkdirSync(SQLITE_TMPDIR);
  await openServerStore(DATABASE).close();
  const game = 'a'.repeat(64);
  onFile(DATABASE, (database) =>
    database.exec(`
      INSERT INTO goty VALUES ('${game}', 'A', '/a', 60000, 0, 60000);
      WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT 60000)
      INSERT INTO ballots (id, game, at) SELECT 'key-' || id, '${game}', 1 FROM ids`),
  );
  // A file that is created and removed changes its folder.
  const { mtimeNs } = statSync(SQLITE_TMPDIR, { bigint: true });
  for (const args of [['audit'], ['export', join(folder, 'vote.ndjson')]]) {
    const { exit, stderr } = spawnNode({ DATABASE, SQLITE_TMPDIR }, [GOTY, ...args]);
    expect([await stderr, await exit]).toEqual([expect.stringMatching(/^Vote: .*\n$/), [0, null]]);
  }
  expect(statSync(SQLITE_TMPDIR, { bigint: true }).mtimeNs).toBe(mtimeNs);
});

test('O7 a reset whose file is cut off by a full disk removes nothing', async ({ skip }) => {
  skip(process.platform !== 'linux', 'the size of a file can be limited on Linux only');
  const ids = Array.from({ length: 1_500 }, (_, index) => `key-${index}`);
  const { done, folder, use } = await openVote(openStandalone, { a: ids });
  await done('export', 'whole.ndjson');
  const { size } = statSync(join(folder, 'whole.ndjson'));
  expect(size).toBeLessThan(65_536);
  const DATABASE = join(folder, 'goty.sqlite');
  const { status, stderr } = spawnSync(
    'prlimit',
    [`--fsize=${size - 20}`, process.execPath, GOTY, 'reset', 'new.ndjson', '--yes'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, DATABASE, INIT_CWD: folder } },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/new.ndjson cannot be written: .*/)]);
  expect(await use((store) => store.recount())).toMatchObject([{ ballots: 1_500 }, {}]);
  expect(readdirSync(folder).filter((name) => name.startsWith('new'))).toEqual([]);
});
