import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createHealth } from './health.ts';

const FAILED = { counted: 0, ms: 7, error: new Error('no disk') };

test('V8 after a failed commit it fails until a vote was stored, for a minute at most', async () => {
  const clock = createTestClock();
  const health = createHealth({ check: async () => {} }, clock);
  await health.check();
  health.committed(FAILED);
  health.committed({ counted: 0, ms: 1 });
  await expect(health.check()).rejects.toThrow('no disk');
  health.committed({ counted: 1, ms: 1 });
  await health.check();
  health.committed(FAILED);
  await clock.advance(59_000);
  await expect(health.check()).rejects.toThrow('no disk');
  // Nobody votes any more, perhaps because of what a monitor has heard.
  await clock.advance(1_000);
  await health.check();
});
