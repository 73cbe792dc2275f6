import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';

const COUNTED = { ok: true, mensaje: apiTexts.counted('Hades II') };

function refusal(mensaje: string) {
  return { ok: false, mensaje };
}

test('V6 under one-per-visitor, the cookie of a reply identifies the visitor', async () => {
  const { send, votos } = await startApiServer({ policy: 'one-per-visitor' });
  const first = await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^__session=press-1; Max-Age=31536000; .*HttpOnly; SameSite=Lax$/);

  const Cookie = 'other=1; __session=press-1';
  const again = await send('POST', '/api/goty/hades-2', { Cookie, 'Idempotency-Key': 'press-2' });
  expect(again.headers['set-cookie']?.[0]).toMatch(/^__session=press-1; Max-Age=31536000;/);
  expect([again.status, JSON.parse(again.body)]).toEqual([200, COUNTED]);
  const other = await send('POST', '/api/goty/live', { Cookie, 'Idempotency-Key': 'press-3' });
  const named = refusal(apiTexts.alreadyVotedFor('Hades II'));
  expect([other.status, JSON.parse(other.body)]).toEqual([409, named]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V6 a visitor whose game was removed is refused without its name', async () => {
  const { send } = await startApiServer({
    policy: 'one-per-visitor',
    wrap: (store) => ({ ...store, commit: async () => [{ votedFor: 'removed' }] }),
  });
  const { status, body } = await send('POST', '/api/goty/live');
  expect([status, JSON.parse(body)]).toEqual([409, refusal(apiTexts.alreadyVoted)]);
});

test('V6 the nominee list sets the cookie, so a lost vote reply adds no visitor', async () => {
  const { send, votos } = await startApiServer({ policy: 'one-per-visitor' });
  const { headers } = await send('GET', '/api/goty');
  const [Cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  expect(Cookie).toMatch(/^__session=[\w-]{36}$/);
  await send('POST', '/api/goty/hades-2', { Cookie, 'Idempotency-Key': 'press-1' });
  const other = await send('POST', '/api/goty/live', { Cookie, 'Idempotency-Key': 'press-2' });
  expect(other.status).toBe(409);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  const known = await send('GET', '/api/goty', { Cookie });
  expect(known.headers['set-cookie']).toBeUndefined();
});

test('V6 F3 the status is the same for every visitor, and sets no cookie', async () => {
  const { send } = await startApiServer({ policy: 'one-per-visitor', clock: createTestClock() });
  const first = await send('GET', '/api/status');
  expect(first.headers['set-cookie']).toBeUndefined();
  const known = await send('GET', '/api/status', { Cookie: '__session=press-1' });
  expect(known.body).toBe(first.body);
});

test.each(['__proto__', 'a/b', ''])('V6 the malformed cookie %j is replaced', async (value) => {
  const { send } = await startApiServer({ policy: 'one-per-visitor' });
  const { headers } = await send('GET', '/api/goty', { Cookie: `__session=${value}` });
  expect(headers['set-cookie']).toHaveLength(1);
});

test('V6 under unlimited no cookie is set', async () => {
  const { send } = await startApiServer();
  expect((await send('GET', '/api/goty')).headers['set-cookie']).toBeUndefined();
  expect((await send('POST', '/api/goty/live')).headers['set-cookie']).toBeUndefined();
});

test('V6 a press retried after its reply with the cookie was lost counts once', async () => {
  const { send, votos } = await startApiServer({ policy: 'one-per-visitor' });
  await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});
