import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { countBallots, start, vote } from '../../testing/process.ts';
import { NOMINEE, onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';
import { changeDeskKeys } from '../acts/desk-keys.ts';
import { NO_KEYS } from '../votes/vote-store.ts';
import { ballot } from '../votes/vote-store-contract.ts';
import { openForOperator } from './database.ts';

test('P9 a database that is overwritten with an older copy of itself takes no votes', async () => {
  const { path } = testDatabase();
  const store = openServerStore(path);
  const group = (part: number) =>
    Array.from({ length: 1_000 }, (_, id) => ballot(`${part}-${id}`, 'a'));
  // Another program may write what the log has into the file.
  const checkpoint = () => onFile(path, (database) => database.exec('PRAGMA wal_checkpoint'));
  await store.commit(group(0));
  checkpoint();
  copyFileSync(path, `${path}.copy`);
  await store.commit(group(1));
  checkpoint();
  await store.commit(group(2));
  copyFileSync(`${path}.copy`, path);
  await expect(store.commit(group(3))).rejects.toThrow('overwritten while GOTY had it open');
  await expect(store.state()).rejects.toThrow();
  await expect(store.close()).rejects.toThrow();
});

test.each([
  ['deleted', (path: string) => rmSync(path)],
  ['moved away', (path: string) => renameSync(path, `${path}-moved`)],
  [
    'replaced',
    (path: string) => {
      copyFileSync(path, `${path}-copy`);
      renameSync(`${path}-copy`, path);
    },
  ],
  ['left without its write-ahead log', (path: string) => rmSync(`${path}-wal`)],
  [
    'overwritten with a back-up',
    (path: string) => {
      onFile(path, (database) => database.exec(`VACUUM INTO '${path}-copy'`));
      copyFileSync(`${path}-copy`, path);
    },
  ],
  ['overwritten with something else', (path: string) => writeFileSync(path, 'x'.repeat(9_000))],
  ['emptied', (path: string) => truncateSync(path)],
])(
  'P9 a database that is %s takes no more votes or acts, and what is there stays',
  async (_what, act) => {
    const { folder, path } = testDatabase();
    const store = openServerStore(path);
    await store.commit([ballot('1', 'a')]);
    act(path);
    const files = snapshot(folder);
    const why = `${path} or its -wal file was deleted, moved, replaced or overwritten`;
    await expect(store.commit([ballot('2', 'a')])).rejects.toThrow(why);
    await expect(store.change(() => ({ nominees: [NOMINEE] }))).rejects.toThrow(why);
    await expect(store.state()).rejects.toThrow(why);
    await expect(store.close()).rejects.toThrow(why);
    expect(snapshot(folder)).toEqual(files);
  },
);

test('P10 a database that another program makes smaller by VACUUM goes on taking votes', async () => {
  const { path } = testDatabase();
  const store = openServerStore(path);
  const group = Array.from({ length: 1_000 }, (_, id) => ballot(`${id}`, 'a'));
  await store.commit(group);
  const byHand = (sql: string) => onFile(path, (database) => database.exec(sql));
  byHand('PRAGMA wal_checkpoint');
  await store.state();
  byHand('DELETE FROM ballots; UPDATE goty SET votos = 0; VACUUM; PRAGMA wal_checkpoint');
  expect(await store.commit([ballot('x', 'a')])).toEqual(['counted']);
  await store.close();
});

test('V8 P4 while votes cannot be written health is 503, and a stop loses and claims nothing', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'the size of a file can be limited on Linux only');
  const { address, child, DATABASE, port, stderr, stop } = await start();
  /** No file may be written beyond that many bytes, as on a full disk. */
  const limit = (bytes: string) =>
    spawnSync('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:unlimited`]);
  const health = async () => (await fetch(`${address}/api/health`)).status;
  expect([await vote(port, '1'), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '2'), await health()]).toEqual([503, 503]);
  limit('unlimited');
  expect([await vote(port, '2'), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '3'), await health()]).toEqual([503, 503]);
  await stop();
  expect(await stderr).not.toContain('not where they were');
  expect(await stderr).toContain('GET /api/health failed: ');
  expect(countBallots(DATABASE)).toEqual({ ballots: 2 });
});

test('P7 nominees are read for an empty database only, and again for one that has none yet', async () => {
  const path = join(testFolder(), 'deep', 'er', 'goty.sqlite');
  await openServerStore(path, () => []).close();
  await openServerStore(path).close();
  const again = openServerStore(path, () => {
    throw new Error('read again');
  });
  expect(await again.games()).toMatchObject([{ ...NOMINEE, votos: 0 }]);
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
  expect(() => openServerStore(folder)).toThrow(
    /cannot be read: it is a folder, no file; Docker makes one if/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('P6 a database with a hard link is refused under both names', async () => {
  const { folder, path } = testDatabase();
  await openServerStore(path).close();
  linkSync(path, join(folder, 'other.sqlite'));
  expect(() => openServerStore(path)).toThrow(/^[^\n]* has a second name, [^\n]*$/);
  expect(() => openForOperator(join(folder, 'other.sqlite'))).toThrow(/ has a second name, /);
});

test('P6 a database that is mounted as a single file is refused', async ({ skip }) => {
  const { folder, path } = testDatabase();
  const mounted = join(folder, 'a mounted file.sqlite');
  await openServerStore(path).close();
  writeFileSync(mounted, '');
  const { status } = spawnSync('mount', ['--bind', path, mounted]);
  skip(status !== 0, 'mounting is not allowed here');
  onTestFinished(() => void spawnSync('umount', [mounted]));
  expect(() => openServerStore(mounted)).toThrow(/^[^\n]* is mounted as a single file, [^\n]*$/);
});

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
