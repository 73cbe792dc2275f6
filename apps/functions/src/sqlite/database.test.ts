import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { NOMINEE, onFile, openServerStore, testDatabase } from '../../testing/sqlite.ts';
import { testStoreModel } from '../votes/store-model-contract.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { ballot, describeVoteStore, type StoreUnderTest } from '../votes/vote-store-contract.ts';
import { makeDurable, openDatabase, openForOperator, openSqliteStore } from './database.ts';
import { makeOneFile } from './file.ts';
import { readHeader } from './header.ts';
import { claimDatabase } from './lock.ts';
import { applySteps } from './schema.ts';

/** A database of version 1. */
const OLD = resolve(import.meta.dirname, '../../testing/fixtures/schema-1.sqlite');

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
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`);
      return openStore(left);
    },
    setVotos: (game, votos) => byHand('UPDATE goty SET votos = ? WHERE id = ?', votos, game),
    addBallot: ({ id, game, at }) =>
      byHand('INSERT INTO ballots (id, game, at) VALUES (?, ?, ?)', id, game, at),
  };
}

describeVoteStore('the SQLite store', openStore);
testStoreModel('the SQLite store', openStore, 60);

test('V1 a database whose sums are wrong is refused, with the command that repairs it', async () => {
  const { path } = testDatabase();
  await openServerStore(path).close();
  onFile(path, (database) => database.exec('UPDATE goty SET votos = 999'));
  expect(() => openServerStore(path)).toThrow(
    /^The database .*: a has 999 votes, but 0 ballots: `goty audit` shows more, `goty audit --repair` mends it\.$/,
  );
  const operator = openForOperator(path);
  await operator.repair([]);
  await operator.close();
  expect(await openServerStore(path).games()).toEqual([{ ...NOMINEE, votos: 0 }]);
});

const NO_NOMINEES = () => [];

test.each([
  [
    'server',
    (path: string, migrated: (backup: string) => void): VoteStore =>
      openSqliteStore({ path, firstNominees: NO_NOMINEES, migrated }),
  ],
  ['command', (path: string) => openForOperator(path)],
])('P11 a database of version 1 is migrated by a %s, after a back-up', async (who, openIt) => {
  const { path } = testDatabase();
  copyFileSync(OLD, path);
  // Of a migration that was interrupted.
  writeFileSync(`${path}.schema-1`, 'half');
  const migrated = vi.fn();
  const store = openIt(path, migrated);
  if (who === 'server') expect(migrated).toHaveBeenCalledWith(`${path}.schema-1`);
  expect((await store.games()).map(({ id, votos }) => [id, votos])).toEqual([
    ['hades-2', 2],
    ['split-fiction', 1],
  ]);
  expect((await store.state()).times).toEqual({ opensAt: undefined, closesAt: undefined });
  const group = [ballot('key-1', 'hades-2'), ballot('new', 'hades-2')];
  expect(await store.commit(group, undefined)).toEqual(['replayed', 'counted']);
  await store.close();
  const queries = ['PRAGMA user_version', 'SELECT * FROM goty', 'SELECT * FROM ballots'];
  const contents = (file: string) =>
    onFile(file, (database) => queries.map((sql) => database.prepare(sql).all()));
  expect(contents(`${path}.schema-1`)).toEqual(contents(OLD));
  expect(await openServerStore(path).games()).toHaveLength(2);
});

test('P11 a database of version 1, whose commits have no numbers, is opened after a newer one was killed', async () => {
  const { path } = testDatabase();
  copyFileSync(OLD, path);
  onFile(path, (database) => database.exec('PRAGMA journal_mode = WAL'));
  const claim = claimDatabase(path);
  claim.mark(9);
  claim.release();
  expect(await openServerStore(path).games()).toHaveLength(2);
});

test('P6 a database whose first server was killed while it made the tables is opened', async () => {
  const { path } = testDatabase();
  const left = join(testFolder(), 'goty.sqlite');
  onFile(path, (database) => {
    // More than fits into the cache, so that the journal is on the disk before the end.
    database.exec('PRAGMA cache_size = 1; BEGIN');
    applySteps(database, 0);
    for (let id = 0; id < 1_000; id += 1) {
      database.prepare(`INSERT INTO goty VALUES (?, 'x', 'x', 0)`).run(`game-${id}`);
    }
    copyFileSync(`${path}-journal`, `${left}-journal`);
    database.exec('COMMIT');
    copyFileSync(path, left);
  });
  expect(readHeader(left)?.userVersion).toBe(4);
  expect(await openServerStore(left).games()).toEqual([{ ...NOMINEE, votos: 0 }]);
});

test('P6 a database that a command closes while it is opened keeps its write-ahead log', () => {
  const { path } = testDatabase();
  const database = openDatabase(path);
  const { exec } = database;
  vi.spyOn(database, 'exec').mockImplementationOnce((sql) => exec.call(database, sql));
  vi.spyOn(database, 'exec').mockImplementationOnce((sql) => {
    exec.call(database, sql);
    const command = openDatabase(path);
    makeOneFile(command);
    command.close();
  });
  makeDurable(database);
  expect(readHeader(path)?.mayHaveLog).toBe(true);
  database.close();
});

test('P11 a migration that fails changes nothing', () => {
  const { path } = testDatabase();
  copyFileSync(OLD, path);
  // Like a disk without room for the back-up.
  mkdirSync(`${path}.schema-1`);
  const before = readFileSync(path);
  expect(() => openServerStore(path)).toThrow(/^The database .* cannot be used: [^\n]*$/);
  expect(onFile(path, (database) => database.prepare('PRAGMA user_version').get())).toEqual({
    user_version: 1,
  });
  expect(readFileSync(path)).toEqual(before);
});

test('V2 every commit is synced to the disk', () => {
  onFile(join(testFolder(), 'goty.sqlite'), (database) => {
    makeDurable(database);
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
  await expect(store.commit(group, undefined)).rejects.toThrow('disk full');
  expect((await store.games()).map(({ votos }) => votos)).toEqual([0, 0]);
  await store.close();
  onFile(path, (database) => database.exec('DROP TRIGGER full'));
  expect(await openServerStore(path).commit(group, undefined)).toEqual(['counted', 'counted']);
});
