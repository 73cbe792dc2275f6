import type { VoteResponse } from '@goty/shared/game';
import { waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { createLastVote } from '../live/last-vote.ts';
import { createBallots, type ShowOutcome, type VoteResult } from './ballots.ts';

const DECIDED: VoteResult = { response: COUNTED, state: 'decided' };
const UNDECIDED: VoteResult = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const RETRYABLE: VoteResult = {
  response: { ok: false, mensaje: 'No hay red' },
  state: 'retryable',
};

/** Casts votes whose posts have the given results, and records keys, pauses and what is told. */
function setUp(...results: (VoteResult | Promise<VoteResult>)[]) {
  vi.useFakeTimers();
  const keys: string[] = [];
  const times: number[] = [];
  const told: VoteResponse[] = [];
  const ballots = createBallots(
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
      const cast = ballots.cast(gameId);
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
  const ballots = createBallots(lastVote, () => dialog.promise, post);
  const first = ballots.cast('hades-2');
  await waitFor(() => expect(lastVote.get()).toBe('hades-2'));
  expect(ballots.voting.get()).toBe('hades-2');
  await ballots.cast('blue-prince');
  expect(lastVote.get()).toBe('hades-2');
  dialog.resolve(async () => true);
  expect(await first).toBe(true);
  expect(ballots.voting.get()).toBeUndefined();
  expect(createLastVote().get()).toBe('hades-2');
});

test('W95 a vote that this visitor knows of is told apart, and one that the server knows of is saved', async () => {
  const lastVote = createLastVote();
  const told: boolean[] = [];
  const castWith = async (gameId: string, response: VoteResponse) => {
    const ballots = createBallots(
      lastVote,
      async () => async (_response, _gameId, isAgain) => told.push(isAgain) < 0,
      async () => ({ response, state: 'decided' }),
    );
    await ballots.cast(gameId);
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

test('W19 a retryable vote is retried twice with the same key and growing pauses', async () => {
  const { keys, pauses, vote } = setUp(RETRYABLE, RETRYABLE, DECIDED);
  expect(await vote('a')).toEqual(COUNTED);
  expect(new Set(keys).size).toBe(1);
  const [first = 0, second = 0] = pauses();
  expect(pauses()).toHaveLength(2);
  expect(first).toBeGreaterThanOrEqual(250);
  expect(first).toBeLessThan(750);
  expect(second).toBeGreaterThanOrEqual(750);
  expect(second).toBeLessThan(2_250);
});

test('W19 after three attempts the vote fails, and the next press reuses the key', async () => {
  const { keys, vote } = setUp(RETRYABLE, RETRYABLE, RETRYABLE, DECIDED);
  expect(await vote('a')).toEqual(RETRYABLE.response);
  expect(keys).toHaveLength(3);
  await vote('a');
  expect(keys[3]).toBe(keys[0]);
});
