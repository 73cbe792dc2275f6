import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';

const POLICY = { policy: 'one-per-visitor' } as const;
const press = (id: number) => ({ 'Idempotency-Key': `press-${id}` });

test('V6 V12 under one-per-visitor, the cookie of a reply identifies the visitor', async () => {
  const { send, votos } = await startApiServer(POLICY);
  const first = await send('POST', '/api/goty/hades-2', press(1));
  expect(first.headers['set-cookie']?.[0]).toMatch(
    /^__session=press-1; Max-Age=31536000; Path=\/api\/goty; HttpOnly; SameSite=Lax$/,
  );
  // As if that reply had been lost.
  const told = [200, { ok: true, mensaje: apiTexts.counted('Hades II'), votedFor: 'hades-2' }];
  expect((await send('POST', '/api/goty/hades-2', press(1))).answer).toEqual(told);

  const Cookie = 'other=1; __session=press-1';
  const again = await send('POST', '/api/goty/hades-2', { Cookie, ...press(2) });
  expect(again.headers['set-cookie']?.[0]).toMatch(/^__session=press-1; Max-Age=31536000;/);
  expect(again.answer).toEqual(told);
  const other = await send('POST', '/api/goty/live', { Cookie, ...press(3) });
  const refused = refusal(apiTexts.alreadyVotedFor('Hades II'));
  expect(other.answer).toEqual([409, { ...refused, votedFor: 'hades-2' }]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V6 a visitor whose game was removed is refused without its name', async () => {
  const commit = async () => [{ votedFor: 'removed' }];
  const { send } = await startApiServer({ ...POLICY, wrap: (store) => ({ ...store, commit }) });
  const { answer } = await send('POST', '/api/goty/live');
  expect(answer).toEqual([409, refusal(apiTexts.alreadyVoted)]);
});

test('V6 the nominee list sets the cookie, so a lost vote reply adds no visitor, and replaces a malformed one', async () => {
  const { send, votos } = await startApiServer(POLICY);
  const cookiesFor = async (headers: { Cookie?: string }) =>
    (await send('GET', '/api/goty', headers)).headers['set-cookie'];
  const [Cookie = ''] = (await cookiesFor({}))?.[0]?.split(';') ?? [];
  expect(Cookie).toMatch(/^__session=[\w-]{36}$/);
  await send('POST', '/api/goty/hades-2', { Cookie, ...press(1) });
  expect((await send('POST', '/api/goty/live', { Cookie, ...press(2) })).status).toBe(409);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  expect(await cookiesFor({ Cookie })).toBeUndefined();
  for (const malformed of ['__proto__', 'a/b', '']) {
    expect(await cookiesFor({ Cookie: `__session=${malformed}` })).toHaveLength(1);
  }
});
