import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { ENTRY, run, start, vote } from '../testing/process.ts';

const START = resolve(import.meta.dirname, '../../../scripts/start.mjs');

test('P3 a damaged database with a write-ahead log is refused and left unchanged', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const { child, exit, port } = await start({ DATABASE });
  expect(await vote(port, 'a', new Agent())).toBe(200);
  child.kill('SIGKILL');
  await exit;
  writeFileSync(DATABASE, readFileSync(DATABASE).fill(0xaa, 100, 4_096));
  // SQLite rebuilds the -shm file, an index, whenever it opens the database.
  const files = () =>
    readdirSync(folder)
      .filter((name) => !/-(shm|lock)$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'base64')]);
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

test('P6 a second process is also refused if it comes through a symbolic link', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const link = join(folder, 'link.sqlite');
  symlinkSync(DATABASE, link);
  const first = await start({ DATABASE: link });
  const second = run({ DATABASE }, ENTRY);
  expect(await second.exit).toEqual([1, null]);
  expect(await second.stderr).toMatch(/is in use by another process: stop that one first\.\n$/);
  first.child.kill('SIGKILL');
  await first.exit;
  await start({ DATABASE });
});

test('P3 a port in use is reported in one line, and nothing is written', async () => {
  const folder = testFolder();
  const { port } = await start({ DATABASE: join(folder, 'first.sqlite') });
  const second = run({ PORT: String(port), DATABASE: join(folder, 'new', 'goty.sqlite') }, ENTRY);
  expect(await second.exit).toEqual([1, null]);
  expect(await second.stderr).toBe(`Port ${port} is in use: stop the other program or set PORT.\n`);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('P3 a bad nominees file is reported in one line, and nothing is written', async () => {
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

test('P3 a file that is not a database is reported in one line', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  writeFileSync(DATABASE, 'hello');
  const refused = run({ DATABASE }, ENTRY);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    `${DATABASE} is not a database: move it away or set DATABASE.\n`,
  );
});

test('P3 an older Node is reported in one line', async () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;
  const refused = run({}, '--import', older, START);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    'GOTY needs Node 24 or later, but this is 20.19.0: install it from https://nodejs.org and try again.\n',
  );
});
