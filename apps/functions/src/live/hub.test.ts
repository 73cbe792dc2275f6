import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { createTestLog } from '../../testing/log.ts';
import type { Snapshot } from '../votes/known.ts';
import { createLiveHub } from './hub.ts';

/** A hub with a viewer, and what that has got. The test tells what the view knows. */
function setUp() {
  const log = createTestLog();
  let told = (_snapshot: Snapshot) => {};
  const left = vi.fn();
  const hub = createLiveHub(
    {
      subscribe(tell) {
        told = tell;
        return left;
      },
    },
    log,
  );
  const seen: string[] = [];
  const leave = hub.subscribe({ send: (frame) => void seen.push(frame.toString()), end() {} });
  const state = { revision: 1, times: TIMES, frozenAt: undefined, voided: 0 };
  const others = { state, nominees: [], byId: new Map(), revision: '' };
  const tell = (votos: number) => told({ ...others, games: [buildGame({ votos })] });
  return { hub, leave, left, log, seen, tell };
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

test('L6 P4 it leaves the view with its last viewer, and once it is closed, each is ended', () => {
  const { hub, leave, left } = setUp();
  const end = vi.fn();
  const watch = () => hub.subscribe({ send() {}, end });
  const leaveToo = watch();
  leave();
  expect(left).not.toHaveBeenCalled();
  leaveToo();
  expect(left).toHaveBeenCalledOnce();
  watch();
  hub.close();
  watch();
  expect(end).toHaveBeenCalledTimes(2);
  expect(hub.viewers()).toBe(0);
});
