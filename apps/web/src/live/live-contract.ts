import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../testing/builders.ts';
import type { LiveEvent, LiveSource } from './live-source.ts';

/** A live source with a fake backend. */
export interface SourceUnderTest {
  readonly source: LiveSource;
  /** Lets the backend send standings, or what is none. */
  emit(standings: readonly unknown[]): unknown;
  /** Breaks the connection. */
  disconnect(): unknown;
  /** Returns the number of open connections or listeners. */
  openCount(): number;
}

/** Listens to a source until the end of the test, and records its events. The time is fake. */
export async function listenTo(source: LiveSource) {
  const events: LiveEvent[] = [];
  const unsubscribe = source((event) => events.push(event));
  onTestFinished(unsubscribe);
  await vi.advanceTimersByTimeAsync(0);
  return { events, unsubscribe };
}

/**
 * Declares the contract tests that every live source has to pass.
 *
 * @param setUp called once per test
 */
export function describeLiveSource(name: string, setUp: () => SourceUnderTest) {
  async function listen() {
    const under = setUp();
    return { ...under, ...(await listenTo(under.source)) };
  }

  describe(name, () => {
    beforeEach(() => void vi.useFakeTimers());

    test('W12 W11 standings are emitted as they arrive, and empty ones, too', async () => {
      const { events, emit } = await listen();
      const sent = [buildStandings(1), buildStandings(2), []];
      for (const standings of sent) await emit(standings);
      expect(events).toEqual(sent.map(buildEvent));
    });

    test('W11 a lost connection is reported, and then the next standings', async () => {
      const { events, emit, disconnect } = await listen();
      await emit(buildStandings(1));
      await disconnect();
      expect(events.at(-1)).toEqual({ type: 'offline' });
      await emit(buildStandings(2));
      expect(events.at(-1)).toEqual(buildEvent(buildStandings(2)));
    });

    test('W11 what is not standings is not told as standings', async () => {
      const { events, emit } = await listen();
      await emit([{ id: 'a', name: 7 }]);
      await emit([{ id: 7, name: 'a' }]);
      expect(events.map(({ type }) => type)).not.toContain('standings');
    });

    test('W16 unsubscribing closes the connection and ends the events', async () => {
      const { events, openCount, emit, unsubscribe } = await listen();
      expect(openCount()).toBe(1);
      unsubscribe();
      await emit(buildStandings(1));
      expect(openCount()).toBe(0);
      expect(events).toEqual([]);
    });
  });
}
