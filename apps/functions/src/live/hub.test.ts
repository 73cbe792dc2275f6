import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { createTestLog } from '../../testing/log.ts';
import type { Snapshot } from '../votes/snapshot.ts';
import { createLiveHub } from './hub.ts';

/** A hub with a viewer, and what that has got. The test tells what the view knows. */
function setUp() {
  const log = createTestLog();
  let told = (_snapshot: Snapshot) => {};
  const hub = createLiveHub(
    {
      subscribe(tell) {
        told = tell;
        return () => {};
      },
    },
    log,
  );
  const seen: string[] = [];
  hub.subscribe({ send: (frame) => void seen.push(frame.toString()), end() {} });
  const state = { revision: 1, times: TIMES, frozenAt: undefined, voided: 0 };
  const others = { state, nominees: [], byId: new Map(), revision: '' };
  const tell = (votos: number) => told({ ...others, games: [buildGame({ votos })] });
  return { hub, log, seen, tell };
}

const TIMES = { opensAt: undefined, closesAt: undefined };

test('V10 viewers get no event if the standings are the same', () => {
  const { seen, tell } = setUp();
  for (const votos of [1, 1, 2]) tell(votos);
  expect(seen.map((frame) => frame.includes('"votos":2'))).toEqual([false, true]);
});

test('L4 a viewer that throws does not affect the others', () => {
  const { hub, log, seen, tell } = setUp();
  const send = () => {
    throw new Error('gone');
  };
  hub.subscribe({ send, end() {} });
  tell(1);
  expect(log.lines).toEqual(['Failed to send the standings to a viewer: Error: gone']);
  tell(2);
  expect(seen).toHaveLength(2);
});

test('P4 once it is closed, viewers are ended, also one that comes later', () => {
  const { hub } = setUp();
  const end = vi.fn();
  hub.subscribe({ send() {}, end });
  hub.close();
  hub.subscribe({ send() {}, end });
  expect(end).toHaveBeenCalledTimes(2);
  expect(hub.viewers()).toBe(0);
});
