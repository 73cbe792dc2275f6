import { expect, test } from 'vitest';
import type { VoteAnswer } from './api.ts';
import { createVoter } from './voter.ts';

const COUNTED: VoteAnswer = { response: { ok: true, mensaje: 'Contado' }, isFinal: true };
const UNDECIDED: VoteAnswer = { response: { ok: false, mensaje: 'No sé' }, isFinal: false };

/** A voter whose posts get the given answers, and the keys that it sent. */
function setUp(...answers: VoteAnswer[]) {
  const sent: { gameId: string; key: string }[] = [];
  const vote = createVoter(async (gameId, key) => {
    sent.push({ gameId, key });
    return answers[sent.length - 1] ?? COUNTED;
  });
  return { sent, vote };
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

test('W9 another game is another vote', async () => {
  const { sent, vote } = setUp(UNDECIDED);
  await vote('a');
  await vote('b');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});
