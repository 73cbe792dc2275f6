import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createMinuteLog } from './minute-log.ts';

test('P17 a minute with traffic is one line, also of a server that stops, and one without is none', async () => {
  const clock = createTestClock();
  const log = createTestLog();
  const traffic = createMinuteLog(clock, log, () => 45);
  await clock.advance(600_000);
  expect(log.lines).toEqual([]);
  traffic.committed({ counted: 1, ms: 1 });
  traffic.committed({ counted: 1, ms: 2 });
  traffic.committed({ counted: 0, ms: 7, error: new Error('no disk') });
  traffic.refused('too-many-votes');
  traffic.refused('cross-site');
  traffic.refused('too-many-votes');
  await clock.advance(60_000);
  expect(log.lines).toEqual([
    'Traffic of 60 s: 2 votes; 2 commits (median 1.0 ms, p99 2.0 ms); 1 failed commit; refused: too-many-votes 2, cross-site 1; 45 viewers',
  ]);
  await clock.advance(600_000);
  expect(log.lines).toHaveLength(1);
  traffic.refused('closed');
  await clock.advance(60_000);
  expect(log.lines[1]).toBe('Traffic of 60 s: 0 votes; refused: closed 1; 45 viewers');

  traffic.committed({ counted: 1, ms: 1 });
  traffic.close();
  expect(log.lines).toHaveLength(3);
  // While the server stops, nobody waits for the end of a minute.
  traffic.committed({ counted: 1, ms: 1 });
  await clock.advance(600_000);
  expect(log.lines).toHaveLength(3);
});
