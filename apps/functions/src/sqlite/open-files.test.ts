import { spawnSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countBallots, manyConnections, start, vote } from '../../testing/process.ts';
import { onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';
import { ballot } from '../votes/vote-store-contract.ts';

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
  'P9 a database that is %s takes no more votes, and what is there stays as it is',
  async (_what, act) => {
    const { folder, path } = testDatabase();
    const store = openServerStore(path);
    await store.commit([ballot('1', 'a')]);
    act(path);
    const files = snapshot(folder);
    const why = `${path} or its -wal file was deleted, moved, replaced or overwritten`;
    await expect(store.commit([ballot('2', 'a')])).rejects.toThrow(why);
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
  const agent = manyConnections();
  expect([await vote(port, '1', agent), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '2', agent), await health()]).toEqual([503, 503]);
  // Nothing is written for a vote that is stored already.
  expect([await vote(port, '1', agent), await health()]).toEqual([200, 503]);
  limit('unlimited');
  expect([await vote(port, '2', agent), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '3', agent), await health()]).toEqual([503, 503]);
  await stop();
  expect(await stderr).not.toContain('not where they were');
  expect(countBallots(DATABASE)).toEqual({ ballots: 2 });
});
