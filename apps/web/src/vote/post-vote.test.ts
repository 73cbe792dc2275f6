import { buildNominee } from '@goty/shared/testing/nominee';
import { texts } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { answer, breakDown } from '../../testing/stub-fetch.ts';
import type { FailureReason } from '../base/request.ts';
import { fetchNominees } from '../live/nominees.ts';
import { postVote } from './ballots.ts';

const HTML = '<!doctype html>';

/** What the page itself says of a vote. */
const failure = (reason: FailureReason) => ({
  ok: false,
  mensaje: `${texts.states.failures[reason]} Puedes reintentarlo: solo contará una vez.`,
});

test('V3 W81 a vote is a POST of an empty object with its key, which survives the page', async () => {
  const fetchStub = answer(200, COUNTED);
  expect(await postVote('hades-2', 'key-1')).toEqual({ response: COUNTED, state: 'decided' });
  const [url, init] = fetchStub.mock.calls[0] ?? [];
  expect(url).toBe('/api/goty/hades-2');
  expect(init).toMatchObject({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
    body: '{}',
    keepalive: true,
  });
});

test.each([
  ...[400, 403, 404, 409, 422].map((status) => [status, 'decided'] as const),
  // Refusals that say nothing of an earlier attempt whose answer was lost.
  ...[401, 408, 413, 429, 500].map((status) => [status, 'undecided'] as const),
  [503, 'retryable'],
] as const)('W7 W9 the error body of a %i is shown, and the vote is %s', async (status, state) => {
  const response = { ok: false, mensaje: 'Del servidor' };
  answer(status, response);
  expect(await postVote('a', 'key')).toEqual({ response, state });
});

test.each([
  [200, '', 'broken', 'undecided'],
  [200, { ok: true }, 'broken', 'undecided'],
  // Cloud Run's own, if no instance is free.
  [429, HTML, 'busy', 'retryable'],
  [500, HTML, 'broken', 'undecided'],
  [502, HTML, 'broken', 'undecided'],
  [503, HTML, 'busy', 'retryable'],
] as const)('W7 W33 a %i with %j is %s, and %s', async (status, body, reason, state) => {
  answer(status, body);
  expect(await postVote('a', 'key')).toEqual({ response: failure(reason), state });
});

test('W7 a failed connection and a timeout have different messages', async () => {
  breakDown();
  expect(await postVote('a', 'key')).toEqual({
    response: failure('unreachable'),
    state: 'retryable',
  });
  // Browsers name the error of a timeout differently, so the signal decides.
  vi.spyOn(AbortController.prototype, 'signal', 'get').mockReturnValue(AbortSignal.abort());
  breakDown(new DOMException('late', 'AbortError'));
  expect(await postVote('a', 'key')).toEqual({
    response: failure('late'),
    state: 'undecided',
  });
});

test('N1 W10 W33 the nominees are parsed from the response, if there is one', async () => {
  answer(200, [buildNominee()]);
  expect(await fetchNominees()).toEqual([buildNominee()]);
  breakDown();
  expect(await fetchNominees()).toBe('unreachable');
});

test.each([
  [500, { ok: false, mensaje: 'x' }, 'broken'],
  [502, HTML, 'broken'],
  [429, '', 'busy'],
  [503, '', 'busy'],
  [200, { games: [] }, 'broken'],
  [200, HTML, 'broken'],
])('W10 W33 a %i with %j is not a nominee list, but %s', async (status, body, reason) => {
  answer(status, body);
  expect(await fetchNominees()).toBe(reason);
});
