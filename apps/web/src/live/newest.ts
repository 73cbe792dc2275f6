import { type Standing, totalVotes } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import type { MutableObservable } from '../base/observable.ts';
import type { LiveEvent, LiveState } from './live-source.ts';

/** Decides which standings are the newest of those that the page hears, and when these are no longer live. */
export function keepNewest(state: MutableObservable<LiveState>) {
  /** When they were heard, and when a source has told some, by the clock that nobody sets. */
  let heardAt = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /** A source has told of a change, which it does at once. */
    tell({ standings, viewers }: LiveEvent) {
      toldAt = performance.now();
      show(standings, viewers);
    },
    /** No source tells any more how many watch. */
    forgetViewers() {
      const { status, standings } = state.get();
      if (status === 'live') state.set({ status, standings });
    },
    /** Nothing is heard while the page is hidden: when the visitor is back, that is not called live. */
    pause() {
      state.set({ status: 'loading', standings: state.get().standings });
    },
    /** The server has answered with standings, which may be some seconds old. */
    hear(standings: readonly Standing[]) {
      stopWaiting();
      if (isYoung(toldAt) || isOlder(standings)) return;
      const shown = state.get();
      // Nothing is rendered for an answer that says the same again.
      const isSame = JSON.stringify(shown.standings) === JSON.stringify(standings);
      show(
        (isSame && shown.standings) || standings,
        shown.status === 'live' ? shown.viewers : undefined,
      );
    },
    /** The server has not answered. What is shown is live until it is too old. */
    miss() {
      timer ??= setTimeout(lose, Math.max(0, heardAt + MAX_STANDINGS_AGE_MS - performance.now()));
    },
  };

  function show(standings: readonly Standing[], viewers: number | undefined) {
    stopWaiting();
    heardAt = performance.now();
    state.set({ status: 'live', standings, viewers });
  }

  function lose() {
    timer = undefined;
    state.set({ status: 'offline', standings: state.get().standings });
  }

  function stopWaiting() {
    clearTimeout(timer);
    timer = undefined;
  }

  /** The servers of a CDN disagree for some seconds. Votes only grow, unless an operator takes some. */
  function isOlder(standings: readonly Standing[]): boolean {
    const { standings: shown = [] } = state.get();
    return (
      isYoung(heardAt) &&
      shown.length === standings.length &&
      totalVotes(standings) < totalVotes(shown)
    );
  }
}

function isYoung(time: number): boolean {
  return performance.now() - time < MAX_STANDINGS_AGE_MS;
}
