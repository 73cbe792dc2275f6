import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';
import { changeDeskKeys } from '../acts/desk-keys.ts';
import { NO_KEYS } from '../votes/vote-store.ts';
import { openForOperator } from './database.ts';

const VOTE = { id: '1', game: 'a', at: 1 };

/** The files of a server that was killed after two votes, and its -wal file after the first one. */
async function crashed() {
  const running = join(testFolder(), 'goty.sqlite');
  const { folder, path } = testDatabase();
  const store = openServerStore(running);
  await store.commit([{ ...VOTE, id: '0' }]);
  const firstLog = readFileSync(`${running}-wal`);
  await store.commit([VOTE]);
  for (const end of ['', '-wal', '-lock']) copyFileSync(`${running}${end}`, `${path}${end}`);
  return { folder, path, firstLog };
}

test.each([
  ['missing', (log: string) => rmSync(log)],
  ['empty', (log: string) => truncateSync(log)],
  ['cut off by a byte', (log: string) => truncateSync(log, statSync(log).size - 1)],
  ['without its header', (log: string) => writeFileSync(log, readFileSync(log).fill(0, 0, 32))],
  ['damaged in a page', (log: string) => writeFileSync(log, readFileSync(log).fill(1, 99, 999))],
  ['an older one', (log: string, older: Buffer) => writeFileSync(log, older)],
])('P5 a crashed database whose -wal file is %s is refused, unchanged', async (_what, damage) => {
  const { folder, path, firstLog } = await crashed();
  copyFileSync(`${path}-wal`, `${path}-away`);
  damage(`${path}-wal`, firstLog);
  const before = snapshot(folder);
  for (const open of [openServerStore, openForOperator]) {
    expect(() => open(path)).toThrow(/^[^\n]* lacks its newest votes: [^\n]*$/);
  }
  expect(snapshot(folder)).toEqual(before);
  copyFileSync(`${path}-away`, `${path}-wal`);
  expect(await openServerStore(path).commit([VOTE])).toEqual([{ votedFor: 'a', votedAt: VOTE.at }]);
});

test.each([
  ['when its -wal file is no longer there', 'PRAGMA wal_checkpoint(TRUNCATE)'],
  ['and looked at by another program', 'SELECT * FROM goty'],
])('P5 a database whose server was killed %s lacks nothing, and is opened', async (_when, sql) => {
  for (const open of [openServerStore, openForOperator]) {
    const { path } = await crashed();
    onFile(path, (database) => database.prepare(sql).all());
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await open(path).commit([VOTE])).toEqual([{ votedFor: 'a', votedAt: VOTE.at }]);
  }
});

test('P5 a crashed database that does not know its newest commit any more is refused', async () => {
  const { path } = await crashed();
  onFile(path, (database) => database.exec('DELETE FROM settings'));
  for (const open of [openServerStore, openForOperator]) {
    expect(() => open(path)).toThrow(/ lacks its newest votes: /);
  }
});

test('P5 a database whose server was killed before its -wal file was there is opened', async () => {
  for (const open of [openServerStore, openForOperator]) {
    const { path } = testDatabase();
    const store = openServerStore(path);
    await store.commit([VOTE]);
    await store.close();
    // The header says that there is one.
    onFile(path, (database) => database.exec('PRAGMA journal_mode = WAL'));
    expect(await open(path).commit([VOTE])).toEqual([{ votedFor: 'a', votedAt: VOTE.at }]);
  }
});

test('P5 a crashed database is opened without its -wal file once the loss is accepted', async () => {
  const { path } = await crashed();
  rmSync(`${path}-wal`);
  rmSync(`${path}-lock`);
  expect(await openServerStore(path).commit([VOTE])).toEqual(['counted']);
});

test('P5 a database opens again after a command, and after one beside a reader', async () => {
  const { path } = testDatabase();
  await openServerStore(path).close();
  const operator = openForOperator(path);
  await operator.commit([VOTE]);
  const second = openForOperator(path);
  await operator.close();
  await second.close();
  expect(await openServerStore(path).commit([VOTE])).toEqual([{ votedFor: 'a', votedAt: VOTE.at }]);
});

test('P5 copies by other programs, also of an open database, are opened', async () => {
  const { folder, path } = testDatabase();
  await openServerStore(path).commit([VOTE]);
  const vacuumed = join(folder, 'vacuumed.sqlite');
  onFile(path, (database) => database.prepare('VACUUM INTO ?').run(vacuumed));
  expect(await openServerStore(vacuumed).commit([VOTE])).toEqual([
    { votedFor: 'a', votedAt: VOTE.at },
  ]);
  // Litestream and `.backup` copy the header, too.
  const replica = join(folder, 'replica.sqlite');
  onFile(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  copyFileSync(path, replica);
  expect(await openServerStore(replica).commit([VOTE])).toEqual([
    { votedFor: 'a', votedAt: VOTE.at },
  ]);
});

test('P5 a copy beside the -wal file of a killed server is refused, and alone it is opened', async () => {
  const { folder, path } = await crashed();
  const copy = join(folder, 'copy.sqlite');
  const log = readFileSync(`${path}-wal`);
  onFile(path, (database) => database.prepare('VACUUM INTO ?').run(copy));
  writeFileSync(`${path}-wal`, log);
  copyFileSync(copy, path);
  expect(() => openServerStore(path)).toThrow(
    /-wal has votes of the database that was there before/,
  );
  rmSync(`${path}-wal`);
  expect(await openServerStore(path).commit([VOTE])).toEqual([{ votedFor: 'a', votedAt: VOTE.at }]);
});

test('D2 a database that is opened at another place, or whose loss was accepted, brings no browser along', async () => {
  const { folder, path } = testDatabase();
  const first = openServerStore(path);
  const devices = [{ hash: 'a', since: Date.now() }];
  await first.change(changeDeskKeys(() => ({ codes: [], devices })));
  await first.close();
  const again = openServerStore(path);
  expect((await again.state()).keys.devices).toEqual(devices);
  await again.close();
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  rmSync(`${path}-lock`);
  for (const file of [copy, path])
    expect((await openServerStore(file).state()).keys).toEqual(NO_KEYS);
});
