import { expect, test } from 'vitest';
import type { VoteAnswer } from './api.ts';
import { createVoter } from './voter.ts';

const COUNTED: VoteAnswer = { response: { ok: true, mensaje: 'Contado' }, state: 'decided' };
const UNDECIDED: VoteAnswer = { response: { ok: false, mensaje: 'No sé' }, state: 'undecided' };
const UNREACHABLE: VoteAnswer = {
  response: { ok: false, mensaje: 'No hay red' },
  state: 'unreachable',
};

/** A voter whose posts get the given answers, with the keys that it sent and the pauses it made. */
function setUp(...answers: VoteAnswer[]) {
  const sent: { gameId: string; key: string }[] = [];
  const pauses: number[] = [];
  const vote = createVoter({
    async post(gameId, key) {
      sent.push({ gameId, key });
      return answers[sent.length - 1] ?? COUNTED;
    },
    wait: async (ms) => void pauses.push(ms),
  });
  return { pauses, sent, vote };
}

test('W9 each press that is decided has a key of its own', async () => {
  const { sent, vote } = setUp(COUNTED, COUNTED);
  expect(await vote('a')).toEqual(COUNTED.response);
  await vote('a');
  const [first, second] = sent;
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.key).not.toBe(first?.key);
});

test('W9 a press after an undecided one sends the same key, until there is a decision', async () => {
  const { sent, vote } = setUp(UNDECIDED, UNDECIDED, COUNTED, COUNTED);
  for (let press = 0; press < 4; press += 1) await vote('a');
  const [first, second, third, fourth] = sent.map(({ key }) => key);
  expect(second).toBe(first);
  expect(third).toBe(first);
  expect(fourth).not.toBe(first);
});

test('W9 an older press that is decided later does not take the key of a newer one', async () => {
  const sent: { key: string; answer: PromiseWithResolvers<VoteAnswer> }[] = [];
  const vote = createVoter({
    post(_gameId, key) {
      const answer = Promise.withResolvers<VoteAnswer>();
      sent.push({ key, answer });
      return answer.promise;
    },
    wait: async () => {},
  });
  const first = vote('a');
  const second = vote('a');
  sent[0]?.answer.resolve(COUNTED);
  await first;
  const third = vote('a');
  sent[1]?.answer.resolve(COUNTED);
  await second;
  sent[2]?.answer.resolve(UNDECIDED);
  await third;
  vote('a');
  expect(sent[3]?.key).toBe(sent[2]?.key);
  expect(sent[2]?.key).not.toBe(sent[0]?.key);
});

test('W9 another game is another vote', async () => {
  const { sent, vote } = setUp(UNDECIDED);
  await vote('a');
  await vote('b');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('W19 a server that is not reached is tried twice more, with the same key, later each time', async () => {
  const { pauses, sent, vote } = setUp(UNREACHABLE, UNREACHABLE, COUNTED);
  expect(await vote('a')).toEqual(COUNTED.response);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  const [first = 0, second = 0] = pauses;
  expect(pauses).toHaveLength(2);
  expect(first).toBeGreaterThanOrEqual(250);
  expect(first).toBeLessThan(750);
  expect(second).toBeGreaterThanOrEqual(750);
  expect(second).toBeLessThan(2_250);
});

test('W19 after the third try it is told, and the next press has the same key', async () => {
  const { sent, vote } = setUp(UNREACHABLE, UNREACHABLE, UNREACHABLE, COUNTED);
  expect(await vote('a')).toEqual(UNREACHABLE.response);
  expect(sent).toHaveLength(3);
  await vote('a');
  expect(sent[3]?.key).toBe(sent[0]?.key);
});

test('W19 what is undecided for another reason is not tried again by itself', async () => {
  const { sent, vote } = setUp(UNDECIDED);
  await vote('a');
  expect(sent).toHaveLength(1);
});
