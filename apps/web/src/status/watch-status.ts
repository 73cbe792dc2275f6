import type { StatusResponse } from '@goty/shared/game';
import { STATUS_POLL_MS } from '@goty/shared/protocol';
import { whenOnline } from '../base/when-online.ts';
import { fetchStatus } from './fetch-status.ts';
import type { VoteStatus } from './vote-status.ts';

/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many requests the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;
/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Asks for the status at once, and regularly while the page is visible. Reports every change,
 * including the moment at which a phase begins. While the server does not answer, its last answer
 * stays valid.
 */
export function watchStatus(change: (status: VoteStatus) => void): () => void {
  let reported: VoteStatus | undefined;
  let measurements: readonly number[] = [];
  let isAsking = false;
  let isStopped = false;
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  let nextPhase: ReturnType<typeof setTimeout> | undefined;

  document.addEventListener('visibilitychange', pollIfVisible);
  const stopOnline = whenOnline(pollIfVisible);
  // Also in a background tab, so that it shows the phase when it is shown (SPEC W84).
  poll();

  return () => {
    isStopped = true;
    document.removeEventListener('visibilitychange', pollIfVisible);
    stopOnline();
    clearTimeout(nextPoll);
    clearTimeout(nextPhase);
  };

  function pollIfVisible() {
    clearTimeout(nextPoll);
    if (document.visibilityState === 'visible' && !isAsking) poll();
  }

  async function poll() {
    isAsking = true;
    try {
      const response = await fetchStatus();
      if (isStopped) return;
      measurements = [response.now - Date.now(), ...measurements].slice(0, MEASUREMENTS);
      report(response);
    } catch {
      // The next request may succeed.
    }
    isAsking = false;
    if (!isStopped) nextPoll = setTimeout(pollIfVisible, STATUS_POLL_MS);
  }

  function report(response: StatusResponse) {
    const { now: _now, ...told } = response;
    const clockOffset = estimateOffset();
    const now = Date.now() + clockOffset;
    const phase = phaseAt(now, response);
    const next: VoteStatus = { ...told, phase, clockOffset };
    if (!isSame(next, reported)) {
      reported = next;
      change(next);
    }
    const begins = Math.min(
      ...[told.opensAt, told.closesAt].map((at = 0) => (at > now ? at : Infinity)),
    );
    clearTimeout(nextPhase);
    if (begins < Infinity) {
      nextPhase = setTimeout(report, Math.min(begins - now, MAX_DELAY_MS), response);
    }
  }

  /**
   * Estimates how far the server's clock is ahead. Each answer was written some time before it
   * arrives, and may come from a cache, so the largest difference is the closest to the truth.
   */
  function estimateOffset(): number {
    const offset = Math.max(...measurements);
    const last = reported?.clockOffset ?? Infinity;
    return Math.abs(offset - last) <= CLOCK_TOLERANCE_MS ? last : offset;
  }
}

/** The server decides in the same way, in vote-route.ts. */
function phaseAt(now: number, { opensAt, closesAt }: StatusResponse): VoteStatus['phase'] {
  if (closesAt !== undefined && now >= closesAt) return 'closed';
  return opensAt !== undefined && now < opensAt ? 'before' : 'open';
}

function isSame(a: VoteStatus, b: VoteStatus | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
