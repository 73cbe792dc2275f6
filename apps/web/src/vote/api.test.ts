import { buildNominee } from '@goty/shared/testing/nominee';
import { texts } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { fetchNominees, postVote } from './api.ts';

function answerWith(answer: () => Promise<Response>) {
  const fetchFake = vi.fn<typeof fetch>(answer);
  vi.stubGlobal('fetch', fetchFake);
  return fetchFake;
}

test('V3 a vote is a POST of an empty body object to the nominee, with its key', async () => {
  const sent = answerWith(async () => Response.json({ ok: true, mensaje: 'Contado' }));
  expect(await postVote('hades-2', 'key-1')).toEqual({
    response: { ok: true, mensaje: 'Contado' },
    state: 'decided',
  });
  const [url, init] = sent.mock.calls[0] ?? [];
  expect(url).toBe('/api/goty/hades-2');
  expect(init).toMatchObject({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
    body: '{}',
  });
});

test.each([
  [404, 'decided'],
  [409, 'decided'],
  [500, 'undecided'],
  [503, 'unreachable'],
])('W8 the error body of a %i is the response, and it is %s', async (status, state) => {
  const response = { ok: false, mensaje: 'Del servidor' };
  answerWith(async () => Response.json(response, { status }));
  expect(await postVote('a', 'key')).toEqual({ response, state });
});

test.each([
  ['an HTML page', '<!doctype html>', 502],
  ['nothing', '', 200],
  ['null', 'null', 200],
  ['no sentence', '{"ok":true}', 200],
  ['an empty sentence', '{"ok":true,"mensaje":""}', 200],
])('W8 a body of %s is told in a sentence of ours', async (_what, body, status) => {
  answerWith(async () => new Response(body, { status }));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.unreadable },
    state: 'undecided',
  });
});

test('W8 no connection, and no answer in time, are told apart', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.unreachable },
    state: 'unreachable',
  });
  answerWith(() => Promise.reject(new DOMException('late', 'TimeoutError')));
  expect(await postVote('a', 'key')).toEqual({
    response: { ok: false, mensaje: texts.dialog.timedOut },
    state: 'undecided',
  });
});

test('N1 the nominees are read from the answer', async () => {
  answerWith(async () => Response.json([buildNominee()]));
  expect(await fetchNominees()).toEqual([buildNominee()]);
});

test.each([
  ['an error', () => Response.json({ ok: false, mensaje: 'x' }, { status: 500 })],
  ['another body', () => Response.json({ games: [] })],
  ['no JSON', () => new Response('<!doctype html>')],
])('W10 %s is no nominee list', async (_what, answer) => {
  answerWith(async () => answer());
  await expect(fetchNominees()).rejects.toThrow();
});
