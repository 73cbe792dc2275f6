import type { Standing } from '@goty/shared/game';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LiveEvent, LiveSource } from './live-source.ts';

/** A live source with a fake backend. */
export interface SourceUnderTest {
  readonly source: LiveSource;
  /** Lets the backend send standings. */
  emit(standings: readonly Standing[]): Promise<void>;
  /** Breaks the connection. The source has to recover by itself after `restore`. */
  disconnect(): Promise<void>;
  restore(): Promise<void>;
  /** Returns the number of open connections or listeners. */
  openCount(): number;
}

const UNO: Standing = { id: 'a', name: 'Uno', votos: 1 };

/**
 * Declares the contract tests that every live source has to pass.
 *
 * @param setUp called once per test
 */
export function describeLiveSource(name: string, setUp: () => SourceUnderTest) {
  async function listen() {
    const under = setUp();
    const events: LiveEvent[] = [];
    const unsubscribe = under.source((event) => events.push(event));
    onTestFinished(unsubscribe);
    await vi.waitUntil(() => under.openCount() === 1);
    return { ...under, events, unsubscribe };
  }

  describe(name, () => {
    test('W12 standings are emitted as they arrive', async () => {
      const { events, emit } = await listen();
      await emit([UNO]);
      await emit([{ ...UNO, votos: 2 }]);
      expect(events).toEqual([
        { type: 'standings', standings: [UNO] },
        { type: 'standings', standings: [{ ...UNO, votos: 2 }] },
      ]);
    });

    test('W11 empty standings are emitted, too', async () => {
      const { events, emit } = await listen();
      await emit([]);
      expect(events).toEqual([{ type: 'standings', standings: [] }]);
    });

    test('W11 a lost connection is reported, and then the next standings', async () => {
      const { events, emit, disconnect, restore } = await listen();
      await emit([UNO]);
      await disconnect();
      expect(events.at(-1)).toEqual({ type: 'offline' });
      await restore();
      await emit([UNO]);
      expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
    });

    test('W16 unsubscribing closes the connection and ends the events', async () => {
      const { events, openCount, emit, unsubscribe } = await listen();
      unsubscribe();
      await emit([UNO]);
      expect(openCount()).toBe(0);
      expect(events).toEqual([]);
    });
  });
}
