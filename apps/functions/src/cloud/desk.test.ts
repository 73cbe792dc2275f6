import { randomBytes } from 'node:crypto';
import { DESK_PATHS } from '@goty/shared/desk-protocol';
import { Firestore, Query } from 'firebase-admin/firestore';
import { expect, vi } from 'vitest';
import { createTestClock, settled } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { newProjectId, testWithFirestore as test } from '../../testing/firestore.ts';
import { setTimes } from '../acts/acts.ts';
import { changeDeskKeys, makeDeskLink } from '../acts/desk-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { NO_KEYS } from '../votes/vote-store.ts';

const HOUR_MS = 3_600_000;
/** So much of an hour is tried. */
const PART = 4;
/** As Google's front end reports a visitor. */
const TLS = { host: 'vote.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };

/** Two instances of a home, and a browser that one of them has let in. */
async function openDesk() {
  const time = createTestClock();
  // Pauses between two questions pass at once.
  const after: Clock['after'] = (ms, callback) => time.after(ms > 1_000 ? ms : 0, callback);
  const clock = { ...time, after };
  const project = newProjectId();
  const one = await startCloudServer({ clock, project });
  const two = await startCloudServer({ clock, project });
  const key = randomBytes(32).toString('base64url');
  const ask = (server: typeof one, method: string, path: string, sent = '', more = {}) => {
    const own = { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(sent) };
    return settled(server.send(method, `/api${path}`, { ...TLS, ...own, ...more }, sent), clock);
  };
  const code = (await makeDeskLink(one.store, '')).split('=')[1];
  // Both know the keys from before.
  for (const server of [one, two]) {
    expect((await ask(server, 'GET', DESK_PATHS.state)).status).toBe(401);
  }
  await clock.advance(1_000);
  expect((await ask(one, 'POST', DESK_PATHS.pair, JSON.stringify({ code }))).status).toBe(200);
  return { clock, one, two, ask };
}

test('D2 D4 every instance lets a browser in at once, and refuses it within 10 s after it was ended', async () => {
  const { ask, clock, one, two } = await openDesk();
  for (const server of [two, one]) {
    expect((await ask(server, 'GET', DESK_PATHS.state)).status).toBe(200);
  }
  await one.store.change(changeDeskKeys(() => NO_KEYS));
  await clock.advance(10_000);
  for (const server of [one, two]) {
    expect((await ask(server, 'GET', DESK_PATHS.state)).status).toBe(401);
  }
});

test('D3 the desk has no CORS in the cloud home, at neither of its addresses', async () => {
  const { ask, one } = await openDesk();
  const origin = 'https://evil.example';
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const answers = [
    await ask(one, 'GET', DESK_PATHS.state, '', { origin }),
    await ask(one, 'GET', DESK_PATHS.state, '', { 'x-forwarded-proto': 'http' }),
    await ask(one, 'OPTIONS', DESK_PATHS.state, '', asked),
    await one.send('OPTIONS', DESK_PATHS.void, { ...TLS, ...asked }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 405, 405]);
  for (const { headers } of answers) {
    expect(Object.keys(headers).join()).not.toMatch(/access-control/);
    expect(headers['cache-control']).toBe('private, no-store');
  }
});

test('D10 a desk that is open for an hour, in place of the standings of its page, reads fewer than 1,600 documents', async () => {
  const { ask, clock, one } = await openDesk();
  await one.store.change(setTimes((times) => ({ ...times, frozenAt: 5 }), 'command'));
  await clock.advance(10_000);
  const recounts = vi.spyOn(one.store, 'recount');
  const hidden = vi.spyOn(one.store, 'hidden');
  const single = vi.spyOn(Firestore.prototype, 'getAll');
  const lists = vi.spyOn(Query.prototype, 'get');
  const sums = vi.spyOn(Query.prototype, 'aggregate');
  for (let time = 0; time < HOUR_MS / PART; time += 3_000) {
    expect((await ask(one, 'GET', DESK_PATHS.state)).status).toBe(200);
    await clock.advance(3_000);
  }
  const found = await Promise.all(lists.mock.results.map(({ value }) => value));
  const reads =
    single.mock.calls.reduce((sum, documents) => sum + documents.length, 0) +
    found.reduce((sum, { size }) => sum + size, 0) +
    sums.mock.calls.length;
  // Each time, what one instance has hidden is read beside what was counted here.
  expect(hidden.mock.calls.length).toBeLessThanOrEqual(360 / PART);
  expect(reads + hidden.mock.calls.length).toBeLessThan(1_600 / PART);
  expect(recounts).not.toHaveBeenCalled();
});
