import { type Standing, totalVotes } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import type { MutableObservable } from '../base/observable.ts';
import type { LiveEvent, LiveState } from './live-source.ts';

/** Decides which standings are the newest of those that the page hears, and when these are no longer live. */
export function keepNewest(state: MutableObservable<LiveState>) {
  /** When standings were shown last, and when a source has told some, by the clock that nobody sets. */
  let shownAt = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let viewers: number | undefined;
  /** Whether the server has not answered since it did last. */
  let isMissed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /** A source tells of a change, which it does at once, or how many watch. */
    tell(event: LiveEvent) {
      viewers = event.viewers ?? viewers;
      if (event.standings) {
        toldAt = performance.now();
        show(event.standings);
      } else showViewers();
    },
    /** No source tells anything any more, so answers count again. */
    forget() {
      toldAt = Number.NEGATIVE_INFINITY;
      viewers = undefined;
      showViewers();
    },
    /** The visitor is back: a source may have died meanwhile. */
    doubt() {
      toldAt = Number.NEGATIVE_INFINITY;
    },
    /** Nothing is heard while the page is hidden: when the visitor is back, that is not called live. */
    pause() {
      state.set({ status: 'loading', standings: state.get().standings });
    },
    /** The server has answered with standings, which may be some seconds old. */
    hear(standings: readonly Standing[]) {
      isMissed = false;
      wait();
      if (isYoung(toldAt) || isOlder(standings)) return;
      const shown = state.get().standings;
      // Nothing is rendered for an answer that says the same again.
      const isSame = JSON.stringify(shown) === JSON.stringify(standings);
      show((isSame && shown) || standings);
    },
    /** The server has not answered. What is shown is live until it is too old. */
    miss() {
      isMissed = true;
      wait();
    },
  };

  function show(standings: readonly Standing[]) {
    shownAt = performance.now();
    state.set({ status: 'live', standings, viewers });
    wait();
  }

  function showViewers() {
    const { status, standings } = state.get();
    if (status === 'live') state.set({ status, standings, viewers });
  }

  /** Waits until what is shown is too old, while the server does not answer. */
  function wait() {
    clearTimeout(timer);
    if (!isMissed) return;
    timer = setTimeout(
      () => state.set({ status: 'offline', standings: state.get().standings }),
      Math.max(0, shownAt + MAX_STANDINGS_AGE_MS - performance.now()),
    );
  }

  /** The servers of a CDN disagree for some seconds. Votes only grow, unless an operator takes some. */
  function isOlder(standings: readonly Standing[]): boolean {
    const { standings: shown = [] } = state.get();
    return (
      isYoung(shownAt) &&
      shown.length === standings.length &&
      totalVotes(standings) < totalVotes(shown)
    );
  }
}

function isYoung(time: number): boolean {
  return performance.now() - time < MAX_STANDINGS_AGE_MS;
}
