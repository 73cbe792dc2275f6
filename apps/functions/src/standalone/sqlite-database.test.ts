import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { describeVoteStore } from '../votes/vote-store-contract.ts';
import { makeDurable, openForOperator, openSqliteStore } from './sqlite-database.ts';

const NOMINEE = buildNominee({ id: 'a' });

function open(path: string, firstNominees = () => [NOMINEE]): VoteStore {
  const store = openSqliteStore({ path, firstNominees });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** Calls `work` with the database of a closed store. */
function onFile<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** All files but the claim, which is empty. */
function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-lock'));
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  );
}

describeVoteStore('the SQLite store', async () => {
  const path = join(testFolder(), 'goty.sqlite');
  const server = open(path, () => []);
  const operator = openForOperator(path);
  onTestFinished(() => operator.close());
  /** As an operator does, perhaps with `sqlite3`, which does not check foreign keys. */
  const byHand = async (sql: string, ...values: SQLInputValue[]) =>
    onFile(path, (database) => {
      database.exec('PRAGMA foreign_keys = OFF');
      database.prepare(sql).run(...values);
    });
  return {
    store: { ...operator, ...server },
    other: async () => operator,
    async reopen() {
      await server.close();
      return open(path, () => []);
    },
    setVotos: (game, votos) => byHand('UPDATE goty SET votos = ? WHERE id = ?', votos, game),
    addBallot: ({ id, game, at }) => byHand('INSERT INTO ballots VALUES (?, ?, ?)', id, game, at),
  };
});

test('V1 a database whose sums are wrong is refused, with the command that repairs it', async () => {
  const path = join(testFolder(), 'goty.sqlite');
  await open(path).close();
  onFile(path, (database) => database.exec('UPDATE goty SET votos = 999'));
  expect(() => open(path)).toThrow(
    /^The database .*: a has 999 votes, but 0 ballots: `npx pnpm@12 goty audit` shows more, `audit --repair` repairs it\.$/,
  );
  const operator = openForOperator(path);
  await operator.repair();
  await operator.close();
  expect(await open(path).games()).toEqual([{ ...NOMINEE, votos: 0 }]);
});

test.each([
  ['server', (path: string): VoteStore => open(path)],
  ['command', openForOperator],
])('P11 a database of version 1 is migrated by a %s, after a back-up', async (_who, openIt) => {
  const path = join(testFolder(), 'goty.sqlite');
  const old = resolve(import.meta.dirname, '../../testing/fixtures/schema-1.sqlite');
  copyFileSync(old, path);
  // Of a migration that was interrupted.
  writeFileSync(`${path}.schema-1`, 'half');
  const store = openIt(path);
  expect((await store.games()).map(({ id, votos }) => [id, votos])).toEqual([
    ['hades-2', 2],
    ['split-fiction', 1],
  ]);
  expect(await store.times()).toEqual({ opensAt: undefined, closesAt: undefined });
  const group = [
    { id: 'key-1', game: 'hades-2', at: 1 },
    { id: 'new', game: 'hades-2', at: 1 },
  ];
  expect(await store.commit(group)).toEqual(['replayed', 'counted']);
  await store.close();
  const contents = (file: string) =>
    onFile(file, (database) =>
      [
        'PRAGMA user_version',
        'PRAGMA application_id',
        'SELECT * FROM goty',
        'SELECT * FROM ballots',
      ].map((sql) => database.prepare(sql).all()),
    );
  expect(contents(`${path}.schema-1`)).toEqual(contents(old));
  expect(await open(path).games()).toHaveLength(2);
});

test('P11 a migration that fails changes nothing', () => {
  const folder = testFolder();
  const path = join(folder, 'goty.sqlite');
  copyFileSync(resolve(import.meta.dirname, '../../testing/fixtures/schema-1.sqlite'), path);
  // Like a disk without room for the back-up.
  mkdirSync(`${path}.schema-1`);
  const before = readFileSync(path);
  expect(() => open(path)).toThrow(/^The database .* cannot be used: [^\n]*$/);
  expect(onFile(path, (database) => database.prepare('PRAGMA user_version').get())).toEqual({
    user_version: 1,
  });
  expect(readFileSync(path)).toEqual(before);
});

test('P7 nominees are read for an empty database only', async () => {
  const path = join(testFolder(), 'deep', 'er', 'goty.sqlite');
  await open(path).close();
  const again = open(path, () => {
    throw new Error('read again');
  });
  expect(await again.games()).toEqual([{ ...NOMINEE, votos: 0 }]);
});

test('P7 nominees are read again for a database that has none yet', async () => {
  const path = join(testFolder(), 'goty.sqlite');
  await open(path, () => []).close();
  expect(await open(path).games()).toHaveLength(1);
});

test('P3 nominees that cannot be read leave no file behind', () => {
  const folder = testFolder();
  const refuse = () => {
    throw new Error('bad file');
  };
  expect(() => open(join(folder, 'new', 'goty.sqlite'), refuse)).toThrow('bad file');
  expect(readdirSync(folder)).toEqual([]);
});

test('P6 opening a database that is already open is refused', () => {
  const path = join(testFolder(), 'goty.sqlite');
  open(path);
  expect(() => open(path)).toThrow(/goty\.sqlite is in use by another process/);
});

test('V2 every commit is synced to the disk', () => {
  onFile(join(testFolder(), 'goty.sqlite'), (database) => {
    makeDurable(database);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });
});

test('S8 a group that fails halfway is not stored at all, and can be committed again', async () => {
  const path = join(testFolder(), 'goty.sqlite');
  await open(path, () => [NOMINEE, { ...NOMINEE, id: 'b' }]).close();
  onFile(path, (database) =>
    database.exec(`CREATE TRIGGER full BEFORE UPDATE ON goty WHEN NEW.id = 'b'
                   BEGIN SELECT RAISE(ABORT, 'disk full'); END`),
  );
  const store = open(path);
  const group = [
    { id: '1', game: 'a', at: 0 },
    { id: '2', game: 'b', at: 0 },
  ];
  await expect(store.commit(group)).rejects.toThrow('disk full');
  expect((await store.games()).map(({ votos }) => votos)).toEqual([0, 0]);
  await store.close();
  onFile(path, (database) => database.exec('DROP TRIGGER full'));
  expect(await open(path).commit(group)).toEqual(['counted', 'counted']);
});

test.each([
  [
    'that is not a database',
    (path: string) => writeFileSync(path, 'not a database'),
    'is not a data',
  ],
  [
    'of another program',
    (path: string) => onFile(path, (database) => database.exec('CREATE TABLE x (y)')),
    "is another program's database",
  ],
  [
    'from a newer version',
    (path: string) => {
      open(path).close();
      onFile(path, (database) => database.exec('PRAGMA user_version = 3'));
    },
    'comes from a newer version of GOTY (schema 3, this one knows 2)',
  ],
  [
    'that is truncated',
    (path: string) => {
      open(path).close();
      truncateSync(path, 6_000);
    },
    'cannot be used',
  ],
  [
    'with a damaged page',
    (path: string) => {
      open(path).close();
      const content = readFileSync(path);
      writeFileSync(path, content.fill(0xaa, 4_096, 3 * 4_096));
    },
    'cannot be used: it is corrupt',
  ],
  [
    'without one of its tables',
    (path: string) => {
      open(path).close();
      onFile(path, (database) => database.exec('DROP TABLE ballots'));
    },
    'cannot be used: no such table: ballots',
  ],
  [
    'that is missing but has a write-ahead log',
    (path: string) => writeFileSync(`${path}-wal`, 'votes'),
    'is missing or empty, but',
  ],
])('P3 a file %s is refused in one line and left unchanged', (_what, make, message) => {
  const folder = testFolder();
  const path = join(folder, 'goty.sqlite');
  make(path);
  const before = snapshot(folder);
  expect(() => open(path)).toThrow(message);
  expect(() => open(path)).toThrow(/^[^\n]*$/);
  expect(snapshot(folder)).toEqual(before);
});

test('P3 a folder in place of the file is refused', () => {
  const folder = testFolder();
  expect(() => open(folder)).toThrow(/cannot be read: EISDIR/);
  expect(existsSync(folder)).toBe(true);
});
