import type { Standing } from '@goty/shared/game';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LiveEvent, LiveSource } from './live-source.ts';

/** A live source, and hands on what it is connected to. */
export interface SourceUnderTest {
  readonly source: LiveSource;
  /** The other side tells a standing. */
  tell(standings: readonly Standing[]): Promise<void>;
  /** The connection breaks; `restore` mends it, and the source comes back by itself. */
  disconnect(): Promise<void>;
  restore(): Promise<void>;
  /** How many connections or listeners are open. */
  open(): number;
}

const UNO: Standing = { id: 'a', name: 'Uno', votos: 1 };

/** What every source of live results promises to the page. */
export function describeLiveSource(name: string, setUp: () => SourceUnderTest) {
  async function listen() {
    const under = setUp();
    const events: LiveEvent[] = [];
    const unsubscribe = under.source((event) => events.push(event));
    onTestFinished(unsubscribe);
    await vi.waitUntil(() => under.open() === 1);
    return { ...under, events, unsubscribe };
  }

  describe(name, () => {
    test('W12 each standing is told as it comes', async () => {
      const { events, tell } = await listen();
      await tell([UNO]);
      await tell([{ ...UNO, votos: 2 }]);
      expect(events).toEqual([
        { type: 'standings', standings: [UNO] },
        { type: 'standings', standings: [{ ...UNO, votos: 2 }] },
      ]);
    });

    test('W11 an empty standing is a standing', async () => {
      const { events, tell } = await listen();
      await tell([]);
      expect(events).toEqual([{ type: 'standings', standings: [] }]);
    });

    test('W11 a lost connection is told as such, and the next standing after it', async () => {
      const { events, tell, disconnect, restore } = await listen();
      await tell([UNO]);
      await disconnect();
      expect(events.at(-1)).toEqual({ type: 'offline' });
      await restore();
      await tell([UNO]);
      expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
    });

    test('W16 after the unsubscribe nothing is open and nothing is told', async () => {
      const { events, open, tell, unsubscribe } = await listen();
      unsubscribe();
      await tell([UNO]);
      expect(open()).toBe(0);
      expect(events).toEqual([]);
    });
  });
}
