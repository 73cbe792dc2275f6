import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { NOMINEE, onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';
import { repair } from '../acts/acts.ts';
import { testStoreModel } from '../votes/store-model-contract.ts';
import { ballot, describeVoteStore, type StoreUnderTest } from '../votes/vote-store-contract.ts';
import { enterWalMode, leaveWalMode, openDatabase } from './connection.ts';
import { openForOperator } from './database.ts';
import { readHeader } from './files.ts';
import { createTables, MIGRATIONS, newestSchema } from './tables.ts';

const NEWEST = newestSchema(MIGRATIONS);

async function openStore(path = join(testFolder(), 'goty.sqlite')): Promise<StoreUnderTest> {
  const server = openServerStore(path, () => []);
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
    crash() {
      // The files that a killed process leaves behind. This one goes on with its own.
      const left = join(testFolder(), 'goty.sqlite');
      for (const end of ['', '-wal', '-lock']) copyFileSync(`${path}${end}`, `${left}${end}`);
      return openStore(left);
    },
    setVotos: (game, votos) => byHand('UPDATE goty SET votos = ? WHERE id = ?', votos, game),
    addBallot: ({ id, game, at }) =>
      byHand('INSERT INTO ballots (id, game, at) VALUES (?, ?, ?)', id, game, at),
  };
}

describeVoteStore('the SQLite store', openStore);
testStoreModel('the SQLite store', openStore, 60);

test.each([
  ['wrong', 'votos = 999', 'votos is 999, but it has 0 ballots'],
  ['below zero', 'votos = -1, hidden = 1', 'votos is -1, which is less than none'],
])(
  'V1 a database with a sum that is %s is refused, with the command that repairs it',
  async (_what, sums, fault) => {
    const { path } = testDatabase();
    await openServerStore(path).close();
    onFile(path, (database) => database.exec(`UPDATE goty SET ${sums}`));
    expect(() => openServerStore(path)).toThrow(
      RegExp(
        `^The database .*: a: ${fault}\\. \`goty audit\` shows all, \`goty audit --repair\` mends it\\.$`,
      ),
    );
    const operator = openForOperator(path);
    await operator.change(repair([]));
    await operator.close();
    expect(await openServerStore(path).games()).toMatchObject([{ ...NOMINEE, votos: 0 }]);
  },
);

test.each([
  [7, '`export` the vote with that version, move .* away, and `import` the vote here'],
  [NEWEST + 1, 'update GOTY'],
])('P3 P11 a database of schema %d is refused, and left unchanged', async (version, advice) => {
  const { folder, path } = testDatabase();
  await openServerStore(path).close();
  // A newer version may have been killed while only its log said so.
  onFile(path, (database) => {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}`);
    for (const end of ['', '-wal', '-lock'])
      copyFileSync(`${path}${end}`, join(folder, `killed${end}`));
  });
  const before = snapshot(folder);
  for (const file of [path, join(folder, 'killed')]) {
    for (const open of [openServerStore, openForOperator]) {
      expect(() => open(file)).toThrow(
        RegExp(`^[^\\n]* \\(schema ${version}, this one knows ${NEWEST}\\): ${advice}\\.$`),
      );
    }
  }
  expect(snapshot(folder)).toEqual(before);
});

test('P6 a database whose first server was killed while it made the tables is opened', async () => {
  const { path } = testDatabase();
  const left = join(testFolder(), 'goty.sqlite');
  onFile(path, (database) => {
    // More than fits into the cache, so that the journal is on the disk before the end.
    database.exec('PRAGMA cache_size = 1; BEGIN');
    createTables(database, NEWEST);
    for (let id = 0; id < 1_000; id += 1) {
      database.prepare(`INSERT INTO goty VALUES (?, 'x', 'x', 0, 0, 0)`).run(`game-${id}`);
    }
    copyFileSync(`${path}-journal`, `${left}-journal`);
    database.exec('COMMIT');
    copyFileSync(path, left);
  });
  expect(readHeader(left)?.userVersion).toBe(NEWEST);
  const other = `${left}-2`;
  for (const end of ['', '-journal']) copyFileSync(`${left}${end}`, `${other}${end}`);
  expect(() => openForOperator(other)).toThrow(/^There is no database /);
  expect(await openServerStore(left).games()).toMatchObject([{ ...NOMINEE, votos: 0 }]);
});

test('P6 a database that a command closes while it is opened keeps its write-ahead log', () => {
  const { path } = testDatabase();
  const database = openDatabase(path);
  const { exec } = database;
  vi.spyOn(database, 'exec').mockImplementationOnce((sql) => exec.call(database, sql));
  vi.spyOn(database, 'exec').mockImplementationOnce((sql) => {
    exec.call(database, sql);
    const command = openDatabase(path);
    leaveWalMode(command);
    command.close();
  });
  enterWalMode(database);
  expect(readHeader(path)?.mayHaveLog).toBe(true);
  database.close();
});

test('V2 every commit is synced to the disk', () => {
  onFile(join(testFolder(), 'goty.sqlite'), (database) => {
    enterWalMode(database);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });
});

test('S8 a group that fails halfway is not stored at all, and can be committed again', async () => {
  const { path } = testDatabase();
  await openServerStore(path, () => [NOMINEE, { ...NOMINEE, id: 'b' }]).close();
  onFile(path, (database) =>
    database.exec(`CREATE TRIGGER full BEFORE UPDATE ON goty WHEN NEW.id = 'b'
                   BEGIN SELECT RAISE(ABORT, 'disk full'); END`),
  );
  const store = openServerStore(path);
  const group = [ballot('1', 'a'), ballot('2', 'b')];
  await expect(store.commit(group)).rejects.toThrow('disk full');
  expect((await store.games()).map(({ votos }) => votos)).toEqual([0, 0]);
  await store.close();
  onFile(path, (database) => database.exec('DROP TRIGGER full'));
  expect(await openServerStore(path).commit(group)).toEqual(['counted', 'counted']);
});
