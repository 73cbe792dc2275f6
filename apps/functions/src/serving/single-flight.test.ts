import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { SingleFlight } from './single-flight.ts';

/** A question whose answers count, and wait until the test lets them go. */
function setUp(minIntervalMs = 0) {
  const clock = createTestClock();
  const log = createTestLog();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const read = async () => {
    asked += 1;
    const answer = asked;
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return answer;
  };
  const question = new SingleFlight({ clock, line: 'Failed:', log, minIntervalMs, read });
  const answer = async () => {
    waiting.shift()?.();
    await clock.advance(0);
  };
  return { answer, asked: () => asked, clock, question };
}

test('N2 those who ask while it is under way share the answer, and those who ask anew the next', async () => {
  const { answer, asked, clock, question } = setUp();
  const shared = Promise.all([question.run(), question.run()]);
  const anew = Promise.all([question.runAgain(), question.runAgain()]);
  await clock.advance(0);
  expect(asked()).toBe(1);
  await answer();
  await shared;
  expect(asked()).toBe(2);
  await answer();
  expect(await anew).toEqual([2, 2]);
});

test('D4 it is asked anew at most once in its time', async () => {
  const { answer, asked, clock, question } = setUp(1_000);
  const first = question.runAgain();
  await clock.advance(0);
  await answer();
  expect(await first).toBe(1);
  const next = question.runAgain();
  await clock.advance(999);
  expect(asked()).toBe(1);
  await clock.advance(1);
  await answer();
  expect(await next).toBe(2);
});

test('L10 a failure is told, kept with its beginning, and forgotten, also one that comes at once', async () => {
  const clock = createTestClock();
  const log = createTestLog();
  let isBroken = true;
  const read = (): Promise<string> => {
    if (isBroken) throw new Error('no disk');
    return Promise.resolve('fine');
  };
  const question = new SingleFlight({ clock, line: 'Failed:', log, read });
  await question.run();
  await clock.advance(5);
  await expect(question.runAgain()).rejects.toThrow('no disk');
  expect(question.failure).toMatchObject({ since: 0 });
  expect(log.lines.length).toBe(2);
  isBroken = false;
  expect(await question.runAgain()).toBe('fine');
  expect(question.failure).toBeUndefined();
  expect(question.endedAt).toBe(5);
});
