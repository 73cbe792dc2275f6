import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestLog } from '../../testing/log.ts';
import type { Snapshot } from '../votes/snapshot.ts';
import type { VoteView } from '../votes/vote-view.ts';
import { createLiveHub } from './hub.ts';

/** A hub whose view the test is. */
function setUp() {
  const log = createTestLog();
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const times = { opensAt: undefined, closesAt: undefined };
  const others = { nominees: [], byId: new Map(), revision: '' };
  const view: Pick<VoteView, 'subscribe'> = {
    subscribe(tell) {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
  const hub = createLiveHub(view, log);
  return {
    hub,
    listeners,
    log,
    tell(votos: number) {
      const state = { revision: 1, times, frozenAt: undefined, voided: 0 };
      for (const tell of listeners) tell({ state, games: [buildGame({ votos })], ...others });
    },
    /** Subscribes a viewer that records what it gets. */
    watch() {
      const seen: unknown[] = [];
      const leave = hub.subscribe({
        send: (frame) => void seen.push(frame.toString()),
        end: () => void seen.push('end'),
      });
      return { seen, leave };
    },
  };
}

function frame(votos: number): string {
  const { id, name } = buildGame();
  return `data: ${JSON.stringify([{ id, name, votos }])}\n\n`;
}

test('L1 V10 all viewers get the standings, and no event if they are the same', () => {
  const { tell, watch } = setUp();
  const first = watch();
  for (const votos of [1, 1, 2]) tell(votos);
  const second = watch();
  tell(2);
  expect(first.seen).toEqual([frame(1), frame(2)]);
  expect(second.seen).toEqual([frame(2)]);
});

test('L4 a viewer that throws does not affect the others', () => {
  const { hub, log, tell, watch } = setUp();
  const send = () => {
    throw new Error('gone');
  };
  hub.subscribe({ send, end() {} });
  const { seen } = watch();
  tell(1);
  expect(seen).toEqual([frame(1)]);
  expect(log.lines).toEqual(['Failed to send the standings to a viewer: Error: gone']);
});

test('L6 it listens only while somebody watches, and the next viewer gets no old standings', () => {
  const { listeners, tell, watch } = setUp();
  const [one, other] = [watch(), watch()];
  expect(listeners.size).toBe(1);
  tell(1);
  one.leave();
  expect(listeners.size).toBe(1);
  other.leave();
  expect(listeners.size).toBe(0);
  expect(watch().seen).toEqual([]);
});

test('P4 closing the hub ends every viewer, also a later one', () => {
  const { hub, listeners, tell, watch } = setUp();
  const { seen } = watch();
  tell(0);
  hub.close();
  expect([seen, watch().seen, listeners.size]).toEqual([[frame(0), 'end'], ['end'], 0]);
});
