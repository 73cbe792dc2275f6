import { buildNominee } from '@goty/shared/testing/nominee';
import { Firestore, Query } from 'firebase-admin/firestore';
import { expect, vi } from 'vitest';
import { createTestClock, settled } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { testWithFirestore as test } from '../../testing/firestore.ts';
import type { Reply } from '../../testing/http.ts';

const NOMINEES = Array.from({ length: 8 }, (_, index) => buildNominee({ id: `game-${index}` }));
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
/** What a first request costs: the state and each game. */
const FIRST_READS = 1 + NOMINEES.length;

/** An instance beside others, or alone, whose clock the test moves, and the documents that it has read so far. */
async function startInstance({ intervalMs = 1_000 } = {}) {
  const clock = createTestClock();
  const server = await startCloudServer({ nominees: NOMINEES, clock, intervalMs });
  const single = vi.spyOn(Firestore.prototype, 'getAll');
  const lists = vi.spyOn(Query.prototype, 'get');
  const sums = vi.spyOn(Query.prototype, 'aggregate');
  return { ...server, clock, every, reads };

  async function every(seconds: number, duration: number, send: (count: number) => Promise<Reply>) {
    for (let at = 0; at < duration; at += seconds) {
      expect((await settled(send(at), clock)).status).toBe(200);
      await clock.advance(seconds * 1_000);
    }
  }

  async function reads() {
    const found = await Promise.all(lists.mock.results.map(({ value }) => value));
    return (
      single.mock.calls.reduce((sum, documents) => sum + documents.length, 0) +
      // One that finds nothing costs as much as one that finds a document.
      found.reduce((sum, { size }) => sum + Math.max(1, size), 0) +
      sums.mock.calls.length
    );
  }
}

test('F12 one that is idle reads nothing', async () => {
  const { clock, every, reads, send } = await startInstance();
  expect(await reads()).toBe(0);
  await every(1, 1, () => send('GET', '/api/goty'));
  const before = await reads();
  expect(before).toBeLessThanOrEqual(FIRST_READS);
  await clock.advance(HOUR_S * 1_000);
  await send('GET', '/api/nothing');
  expect(await reads()).toBe(before);
});

test('F12 a vote every 31 s reads one document for each', async () => {
  const { every, reads, tally, vote } = await startInstance();
  const votes = 20;
  await every(31, 31 * votes, (at) => vote(`game-${at % 8}`, `key-${at}`));
  expect(await reads()).toBeLessThanOrEqual(votes + FIRST_READS);
  expect(await tally()).toEqual({ counted: votes, ballots: votes });
});

test('F12 L11 pages that show the chart read each game once in 2 s while votes arrive', async () => {
  const { every, reads, send, tally, vote } = await startInstance({ intervalMs: 0 });
  const path = '/api/standings';
  await every(0.5, MINUTE_S, (at) => (at % 2 ? send('GET', path) : vote('game-1', `key-${at}`)));
  const games = (MINUTE_S / 2) * NOMINEES.length;
  const status = MINUTE_S / 3;
  expect(await reads()).toBeLessThanOrEqual(games + status + FIRST_READS);
  const { standings } = JSON.parse((await send('GET', path)).body);
  expect(standings).toHaveLength(NOMINEES.length);
  expect((await tally()).counted).toBe(standings[1].votos);
});

test.each<[seconds: number, duration: number, paths: string[], most: number]>([
  // How often it asks depends on how fast its connection is. A day of it is less than the free quota.
  [3, HOUR_S / 3, ['/api/standings'], 40_000 / 24 / 3],
  [3.6, HOUR_S / 3, ['/api/standings'], 40_000 / 24 / 3],
  [4.6, HOUR_S / 3, ['/api/standings'], 40_000 / 24 / 3],
  [0.5, MINUTE_S, ['/api/goty', '/api/health'], MINUTE_S / 3],
  [1, 2 * MINUTE_S, ['/api/health'], (2 * MINUTE_S) / 10],
])('V8 F12 requests every %d s, for %d s, for %j read few documents', async (...given) => {
  const [seconds, duration, paths, most] = given;
  const { every, reads, send } = await startInstance();
  let count = 0;
  await every(seconds, duration, () => send('GET', paths[count++ % paths.length] ?? ''));
  expect((await reads()) - FIRST_READS).toBeLessThanOrEqual(most);
});
