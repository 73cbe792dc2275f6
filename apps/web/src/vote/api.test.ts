import { buildNominee } from '@goty/shared/testing/nominee';
import { texts } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { fetchNominees, postVote } from './api.ts';

function stubFetch(respond: () => Promise<Response>) {
  const fetchStub = vi.fn<typeof fetch>(respond);
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}

test('V3 a vote is a POST of an empty object to the path of the game, with its key', async () => {
  const fetchStub = stubFetch(async () => Response.json({ ok: true, mensaje: 'Contado' }));
  expect(await postVote('hades-2', 'key-1')).toEqual({
    response: { ok: true, mensaje: 'Contado' },
    state: 'decided',
  });
  const [url, init] = fetchStub.mock.calls[0] ?? [];
  expect(url).toBe('/api/goty/hades-2');
  expect(init).toMatchObject({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
    body: '{}',
  });
});

test('W81 the vote of a visitor who leaves at once is sent all the same', async () => {
  const fetchStub = stubFetch(async () => Response.json({ ok: true, mensaje: 'Contado' }));
  await postVote('hades-2', 'key-1');
  expect(fetchStub.mock.calls[0]?.[1]).toMatchObject({ keepalive: true });
});

test.each([
  [404, 'decided'],
  [409, 'decided'],
  [500, 'undecided'],
  [503, 'retryable'],
])('W8 the error body of a %i is shown, and the vote is %s', async (status, state) => {
  const response = { ok: false, mensaje: 'Del servidor' };
  stubFetch(async () => Response.json(response, { status }));
  expect(await postVote('a', 'key')).toEqual({ response, state });
});

test.each([
  ['empty', '', 200],
  ['null', 'null', 200],
  ['no mensaje', '{"ok":true}', 200],
  ['an empty mensaje', '{"ok":true,"mensaje":""}', 200],
])('W8 an unusable body (%s) gets a fallback message', async (_what, body, status) => {
  stubFetch(async () => new Response(body, { status }));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.broken },
    state: 'undecided',
  });
});

test.each([
  // Cloud Run's own, if no instance is free.
  [429, texts.dialog.busy, 'retryable'],
  [500, texts.dialog.broken, 'undecided'],
  [502, texts.dialog.broken, 'undecided'],
  [503, texts.dialog.busy, 'retryable'],
] as const)('W33 a %i without a usable body says what happened', async (status, mensaje, state) => {
  stubFetch(async () => new Response('<h1>Error</h1>', { status }));
  expect(await postVote('a', 'key')).toEqual({ response: { ok: false, mensaje }, state });
});

test('W8 a failed connection and a timeout have different messages', async () => {
  stubFetch(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.unreachable },
    state: 'retryable',
  });
  // Browsers name the error of a timeout differently, so the signal decides.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  stubFetch(() => Promise.reject(new DOMException('late', 'AbortError')));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.timedOut },
    state: 'undecided',
  });
});

test('N1 the nominees are parsed from the response', async () => {
  stubFetch(async () => Response.json([buildNominee()]));
  expect(await fetchNominees()).toEqual([buildNominee()]);
});

test.each([
  ['a 500', 'broken', () => Response.json({ ok: false, mensaje: 'x' }, { status: 500 })],
  ['a 502', 'broken', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a 429', 'busy', () => new Response('', { status: 429 })],
  ['a 503', 'busy', () => new Response('', { status: 503 })],
  ['another body', 'broken', () => Response.json({ games: [] })],
  ['no JSON', 'broken', () => new Response('<!doctype html>')],
  ['a lost connection', 'unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
])('W10 W33 %s is not a nominee list, but %s', async (_what, reason, respond) => {
  stubFetch(async () => respond());
  await expect(fetchNominees()).rejects.toMatchObject({ reason });
});
