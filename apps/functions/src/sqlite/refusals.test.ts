import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { NOMINEE, onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';

test('P7 nominees are read for an empty database only, and again for one that has none yet', async () => {
  const path = join(testFolder(), 'deep', 'er', 'goty.sqlite');
  await openServerStore(path, () => []).close();
  await openServerStore(path).close();
  const again = openServerStore(path, () => {
    throw new Error('read again');
  });
  expect(await again.games()).toEqual([{ ...NOMINEE, votos: 0 }]);
});

test('P3 nominees that cannot be read leave no file behind', () => {
  const folder = testFolder();
  const refuse = () => {
    throw new Error('bad file');
  };
  expect(() => openServerStore(join(folder, 'new', 'goty.sqlite'), refuse)).toThrow('bad file');
  expect(readdirSync(folder)).toEqual([]);
});

test('P3 a claim that is damaged is named with what to do', async () => {
  const { path } = testDatabase();
  writeFileSync(`${path}-lock`, 'x'.repeat(9_000));
  expect(() => openServerStore(path)).toThrow(
    /goty\.sqlite-lock cannot be used: [^\n]*, remove it\.$/,
  );
  rmSync(`${path}-lock`);
  await openServerStore(path).close();
});

/** A closed database of ours, then damaged. */
const damaged = (damage: (path: string) => void) => (path: string) => {
  openServerStore(path).close();
  damage(path);
};
const execute = (sql: string) => (path: string) => onFile(path, (database) => database.exec(sql));

test.each([
  [
    'that is not a database',
    (path: string) => writeFileSync(path, 'not a database'),
    'is not a database: move it away or set DATABASE.',
  ],
  ['of another program', execute('CREATE TABLE x (y)'), "is another program's database"],
  [
    'from a newer version',
    damaged(execute('PRAGMA user_version = 4')),
    'comes from a newer version of GOTY (schema 4, this one knows 3)',
  ],
  ['that is truncated', damaged((path) => truncateSync(path, 6_000)), 'cannot be used'],
  [
    'with a damaged page',
    damaged((path) => writeFileSync(path, readFileSync(path).fill(0xaa, 4_096, 3 * 4_096))),
    'cannot be used: it is corrupt',
  ],
  [
    'without one of its tables',
    damaged(execute('DROP TABLE ballots')),
    'cannot be used: no such table: ballots',
  ],
  [
    'that is missing but has a write-ahead log',
    (path: string) => writeFileSync(`${path}-wal`, 'votes'),
    'is missing or empty, but',
  ],
])('P3 a file %s is refused in one line and left unchanged', (_what, make, message) => {
  const { folder, path } = testDatabase();
  make(path);
  const before = snapshot(folder);
  expect(() => openServerStore(path)).toThrow(message);
  expect(() => openServerStore(path)).toThrow(/^[^\n]*$/);
  expect(snapshot(folder)).toEqual(before);
});

test('P3 a folder in place of the file is refused', () => {
  const folder = testFolder();
  expect(() => openServerStore(folder)).toThrow(/cannot be read: EISDIR/);
  expect(existsSync(folder)).toBe(true);
});
