import { expect, test } from 'vitest';
import type { VoteResult } from './api.ts';
import { createVoter } from './voter.ts';

const COUNTED: VoteResult = { response: { ok: true, mensaje: 'Contado' }, state: 'decided' };
const UNDECIDED: VoteResult = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const RETRYABLE: VoteResult = {
  response: { ok: false, mensaje: 'No hay red' },
  state: 'retryable',
};

/** Creates a voter whose posts have the given results, and records its posts and pauses. */
function setUp(...results: VoteResult[]) {
  const sent: { gameId: string; key: string }[] = [];
  const pauses: number[] = [];
  const vote = createVoter({
    async post(gameId, key) {
      sent.push({ gameId, key });
      return results[sent.length - 1] ?? COUNTED;
    },
    wait: async (ms) => void pauses.push(ms),
  });
  return { pauses, sent, vote };
}

test('W9 each decided press has its own key', async () => {
  const { sent, vote } = setUp(COUNTED, COUNTED);
  expect(await vote('a')).toEqual(COUNTED.response);
  await vote('a');
  const [first, second] = sent;
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.key).not.toBe(first?.key);
});

test('W9 a press after an undecided one reuses its key, until the vote is decided', async () => {
  const { sent, vote } = setUp(UNDECIDED, UNDECIDED, COUNTED, COUNTED);
  for (let press = 0; press < 4; press += 1) await vote('a');
  const [first, second, third, fourth] = sent.map(({ key }) => key);
  expect(second).toBe(first);
  expect(third).toBe(first);
  expect(fourth).not.toBe(first);
});

test('W9 an older press that is decided late does not discard the key of a newer one', async () => {
  const sent: { key: string; result: PromiseWithResolvers<VoteResult> }[] = [];
  const vote = createVoter({
    post(_gameId, key) {
      const result = Promise.withResolvers<VoteResult>();
      sent.push({ key, result });
      return result.promise;
    },
    wait: async () => {},
  });
  const first = vote('a');
  const second = vote('a');
  sent[0]?.result.resolve(COUNTED);
  await first;
  const third = vote('a');
  sent[1]?.result.resolve(COUNTED);
  await second;
  sent[2]?.result.resolve(UNDECIDED);
  await third;
  vote('a');
  expect(sent[3]?.key).toBe(sent[2]?.key);
  expect(sent[2]?.key).not.toBe(sent[0]?.key);
});

test('W9 a press for another game has another key', async () => {
  const { sent, vote } = setUp(UNDECIDED);
  await vote('a');
  await vote('b');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('W19 a retryable vote is retried twice with the same key and growing pauses', async () => {
  const { pauses, sent, vote } = setUp(RETRYABLE, RETRYABLE, COUNTED);
  expect(await vote('a')).toEqual(COUNTED.response);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  const [first = 0, second = 0] = pauses;
  expect(pauses).toHaveLength(2);
  expect(first).toBeGreaterThanOrEqual(250);
  expect(first).toBeLessThan(750);
  expect(second).toBeGreaterThanOrEqual(750);
  expect(second).toBeLessThan(2_250);
});

test('W19 after three attempts the vote fails, and the next press reuses the key', async () => {
  const { sent, vote } = setUp(RETRYABLE, RETRYABLE, RETRYABLE, COUNTED);
  expect(await vote('a')).toEqual(RETRYABLE.response);
  expect(sent).toHaveLength(3);
  await vote('a');
  expect(sent[3]?.key).toBe(sent[0]?.key);
});

test('W19 an undecided vote is not retried automatically', async () => {
  const { sent, vote } = setUp(UNDECIDED);
  await vote('a');
  expect(sent).toHaveLength(1);
});
