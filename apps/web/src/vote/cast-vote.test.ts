import type { VoteResponse } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { answer, breakDown } from '../../testing/stub-fetch.ts';
import type { FailureReason } from '../base/request.ts';
import { createLastVote } from '../live/last-vote.ts';
import { createVoteCaster, postVote, type ShowOutcome, type VoteResult } from './cast-vote.ts';

const DECIDED: VoteResult = { response: COUNTED, state: 'decided' };
const UNDECIDED: VoteResult = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const RETRYABLE: VoteResult = { response: { ok: false, mensaje: 'No' }, state: 'retryable' };

/** Casts votes whose posts have the given results, and records keys, pauses and what is told. */
function setUp(...results: VoteResult[]) {
  vi.useFakeTimers();
  const keys: string[] = [];
  const times: number[] = [];
  const told: VoteResponse[] = [];
  const caster = createVoteCaster(
    { get: () => undefined, save() {} },
    async () => async (response) => told.push(response) < 0,
    async (_gameId, key) => {
      keys.push(key);
      times.push(Date.now());
      return results[keys.length - 1] ?? DECIDED;
    },
  );
  return {
    keys,
    pauses: () => times.slice(1).map((time, at) => time - (times[at] ?? 0)),
    async vote(gameId: string) {
      const cast = caster.cast(gameId);
      await vi.runAllTimersAsync();
      await cast;
      return told.at(-1);
    },
  };
}

test('W9 a counted vote is saved before its dialog has loaded', async () => {
  const lastVote = createLastVote();
  const dialog = Promise.withResolvers<ShowOutcome>();
  const post = async () => DECIDED;
  const caster = createVoteCaster(lastVote, () => dialog.promise, post);
  const first = caster.cast('hades-2');
  await waitFor(() => expect(lastVote.get()).toBe('hades-2'));
  expect(caster.voting.get()).toBe('hades-2');
  await caster.cast('blue-prince');
  expect(lastVote.get()).toBe('hades-2');
  dialog.resolve(async () => true);
  expect(await first).toBe(true);
  expect(caster.voting.get()).toBeUndefined();
  expect(createLastVote().get()).toBe('hades-2');
});

test('W81 a vote is sent before the files of its dialog are asked for', async () => {
  const asked: string[] = [];
  const note = async <T>(what: string, result: T) => {
    asked.push(what);
    return result;
  };
  const show = async () => false;
  const caster = createVoteCaster(
    { get: () => undefined, save() {} },
    () => note('dialog', show),
    () => note('vote', DECIDED),
  );
  await caster.cast('a');
  expect(asked).toEqual(['vote', 'dialog']);
});

test('W95 a vote that this visitor knows of is told apart, and one that the server knows of is saved', async () => {
  const lastVote = createLastVote();
  const told: boolean[] = [];
  const castWith = async (gameId: string, response: VoteResponse) => {
    const caster = createVoteCaster(
      lastVote,
      async () => async (_response, _gameId, isAgain) => told.push(isAgain) < 0,
      async () => ({ response, state: 'decided' }),
    );
    await caster.cast(gameId);
    return lastVote.get();
  };
  // Its first answer was lost, so nobody has thanked for it.
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  // The operator has reset the vote.
  expect(await castWith('a', COUNTED)).toBe('a');
  expect(await castWith('b', { ok: false, mensaje: 'No', votedFor: 'c' })).toBe('c');
  expect(await castWith('b', { ok: false, mensaje: 'No' })).toBe('c');
  expect(told).toEqual([false, true, false, false, false]);
});

test('W9 W19 an undecided vote is not retried, but the next press for the game reuses its key', async () => {
  const { keys, vote } = setUp(UNDECIDED, UNDECIDED, DECIDED, DECIDED, UNDECIDED);
  for (let press = 1; press <= 4; press += 1) {
    await vote('a');
    expect(keys).toHaveLength(press);
  }
  await vote('a');
  await vote('b');
  const [first, second, third] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(new Set(keys).size).toBe(4);
});

test('W19 a retryable vote is retried twice with the same key and growing pauses, as is the next press', async () => {
  const { keys, pauses, vote } = setUp(RETRYABLE, RETRYABLE, RETRYABLE, RETRYABLE, DECIDED);
  expect(await vote('a')).toEqual(RETRYABLE.response);
  expect(keys).toHaveLength(3);
  const [first = 0, second = 0] = pauses();
  expect(first).toBeGreaterThanOrEqual(250);
  expect(first).toBeLessThan(750);
  expect(second).toBeGreaterThanOrEqual(750);
  expect(second).toBeLessThan(2_250);
  expect(await vote('a')).toEqual(COUNTED);
  expect(keys).toEqual(Array(5).fill(keys[0]));
});

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
  const lost = { response: failure('unreachable'), state: 'retryable' };
  expect(await postVote('a', 'key')).toEqual(lost);
  // Browsers name the error of a timeout differently, so the signal decides.
  vi.spyOn(AbortController.prototype, 'signal', 'get').mockReturnValue(AbortSignal.abort());
  breakDown(new DOMException('late', 'AbortError'));
  const late = { response: failure('late'), state: 'undecided' };
  expect(await postVote('a', 'key')).toEqual(late);
});

test.each([
  ['with its token', async () => 'token', 'token'],
  ['without one if there is none', async () => undefined, undefined],
  ['without one if it fails', () => Promise.reject(new Error('blocked')), undefined],
  ['without one if it takes too long', () => new Promise<never>(() => {}), undefined],
])('F11 a vote is sent %s', async (_how, getToken, token) => {
  vi.useFakeTimers();
  const fetchStub = answer(200, COUNTED);
  void postVote('a', 'key', getToken);
  await vi.advanceTimersByTimeAsync(5_000);
  const { headers } = fetchStub.mock.calls[0]?.[1] ?? {};
  expect(new Headers(headers).get('X-Firebase-AppCheck')).toBe(token ?? null);
});
