import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createLog, oncePerBurst } from './log.ts';

test('P16 each line has its time and its level', () => {
  const out = createTestLog();
  const log = createLog(createTestClock(), out);
  log.info('Open at', 3000);
  log.warn('Full');
  log.error('Failed:', new Error('no disk'));
  expect(out.lines).toEqual([
    '1970-01-01T00:00:00.000Z info  Open at 3000',
    '1970-01-01T00:00:00.000Z warn  Full',
    expect.stringMatching(
      /^1970-01-01T00:00:00.000Z error Failed: Error: no disk\n1970-\S+ error +at .*\n1970-/,
    ),
  ]);
});

test('P16 a burst of the same line is one', async () => {
  const clock = createTestClock();
  const out = createTestLog();
  const log = oncePerBurst(out, clock);
  for (let second = 0; second < 120; second += 1) {
    log.warn('Full');
    if (second % 2 === 0) log.error('Failed:', new Error('no disk'));
    await clock.advance(1_000);
  }
  expect(out.lines).toEqual(['Full', 'Failed: Error: no disk']);
  await clock.advance(59_000);
  log.warn('Full');
  log.error('Failed:', new Error('other'));
  expect(out.lines).toHaveLength(4);
  log.info('a');
  log.info('a');
  expect(out.lines).toHaveLength(6);
});

test('P16 however many different lines there are, few are remembered', () => {
  const out = createTestLog();
  const log = oncePerBurst(out, createTestClock());
  for (let line = 0; line < 2_000; line += 1) log.warn(`${line}`);
  log.warn('0');
  expect(out.lines).toHaveLength(2_001);
});
