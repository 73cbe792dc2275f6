import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings, buildUpdate } from '../../testing/builders.ts';
import type { LiveSource, PushedUpdate } from './live-state.ts';

/** A live source with a fake backend. */
export interface SourceUnderTest {
  readonly source: LiveSource;
  /** Lets the backend send rows, each of whose sums was written for each vote. */
  emit(standings: readonly { readonly votos: number }[]): unknown;
  /** Loses the connection, which comes back by itself. */
  disconnect(): unknown;
  /** Lets the backend end what listens. */
  refuse(): unknown;
  /** Returns the number of open connections or listeners. */
  openCount(): number;
}

/** Listens to a source until the end of the test, and records what it tells. The time is fake. */
export function listenTo(source: LiveSource) {
  const events: PushedUpdate[] = [];
  const end = vi.fn<() => void>();
  const unsubscribe = source({ tell: (news) => events.push(news), end });
  onTestFinished(unsubscribe);
  return { events, end, unsubscribe };
}

/**
 * Declares the contract tests that every live source has to pass.
 *
 * @param setUp called once per test
 */
export function describeLiveSource(name: string, setUp: () => SourceUnderTest) {
  function listen() {
    const under = setUp();
    return { ...under, ...listenTo(under.source) };
  }

  describe(name, () => {
    beforeEach(() => void vi.useFakeTimers());

    test('W12 W11 W91 standings are told with their tally as they arrive, also empty ones, and nothing else', () => {
      const { events, emit } = listen();
      const sent = [buildUpdate(1), buildUpdate(2, 3), buildUpdate()];
      for (const { standings } of sent) emit(standings);
      for (const malformed of [
        { id: 'a', name: 7 },
        { id: 7, name: 'a' },
      ])
        emit([{ ...malformed, votos: 1 }]);
      expect(events).toEqual(sent);
    });

    test('W90 a connection that comes back goes on, and one that is refused is over', () => {
      const { events, emit, disconnect, refuse, end } = listen();
      emit(buildStandings(1));
      disconnect();
      emit(buildStandings(2));
      expect(events).toHaveLength(2);
      expect(end).not.toHaveBeenCalled();
      refuse();
      expect(end).toHaveBeenCalledOnce();
    });

    test('W16 unsubscribing closes the connection and ends the events', () => {
      const { events, openCount, emit, unsubscribe } = listen();
      expect(openCount()).toBe(1);
      unsubscribe();
      emit(buildStandings(1));
      expect(openCount()).toBe(0);
      expect(events).toEqual([]);
    });
  });
}
