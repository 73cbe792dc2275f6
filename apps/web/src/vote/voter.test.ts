import { expect, test } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import type { VoteResult } from './api.ts';
import { createVoter } from './voter.ts';

const DECIDED: VoteResult = { response: COUNTED, state: 'decided' };
const UNDECIDED: VoteResult = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const RETRYABLE: VoteResult = {
  response: { ok: false, mensaje: 'No hay red' },
  state: 'retryable',
};

/** Creates a voter whose posts have the given results, and records its keys and pauses. */
function setUp(...results: (VoteResult | Promise<VoteResult>)[]) {
  const keys: string[] = [];
  const pauses: number[] = [];
  const post = async (_gameId: string, key: string) => {
    keys.push(key);
    return results[keys.length - 1] ?? DECIDED;
  };
  const vote = createVoter(post, async (ms) => void pauses.push(ms));
  return { keys, pauses, vote };
}

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
  const [first = 0, second = 0] = pauses;
  expect(pauses).toHaveLength(2);
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
