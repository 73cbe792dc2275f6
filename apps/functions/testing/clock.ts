import type { Clock } from '../src/runtime/clock.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Moves time on by `ms`, runs what falls due on the way, in order, and lets promises settle. */
  advance(ms: number): Promise<void>;
}

export function createTestClock(): TestClock {
  let time = 0;
  let timers: { readonly due: number; readonly callback: () => void }[] = [];

  function after(ms: number, callback: () => void) {
    const timer = { due: time + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  }

  return {
    now: () => time,
    elapsed: () => time,
    after,
    soon: (callback) => void after(0, callback),
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (let next = earliest(); next && next.due <= end; next = earliest()) {
        time = next.due;
        timers = timers.filter((other) => other !== next);
        next.callback();
        await settle();
      }
      time = end;
    },
  };

  function earliest() {
    return timers.toSorted((a, b) => a.due - b.due)[0];
  }
}

/** A turn of the event loop: every promise that can settle without time has settled after it. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
