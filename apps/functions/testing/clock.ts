import { type Clock, systemClock } from '../src/runtime/clock.ts';

export interface TestClock extends Clock {
  /** Moves time on by `ms` milliseconds. Runs due timers in order and lets promises settle. */
  advance(ms: number): Promise<void>;
}

/** A clock that only the test moves, from 0 on. */
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

const { after } = systemClock;
/** Longer than any interval, shorter than any deadline. */
const MAX_INTERVAL_MS = 1_000;

/** The system's clock, but no deadline passes: how fast the machine is decides nothing. */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, callback) => (ms > MAX_INTERVAL_MS ? () => {} : after(ms, callback)),
};

/** Waits a turn of the event loop, so that promises that need no time settle. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs what is due now until the promise has settled, for parts that also wait for real input. */
export async function settled<T>(promise: Promise<T>, clock: TestClock): Promise<T> {
  let isPending = true;
  const done = () => {
    isPending = false;
  };
  promise.then(done, done);
  while (isPending) {
    await clock.advance(0);
    await settle();
  }
  return promise;
}
