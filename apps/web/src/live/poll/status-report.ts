import type { StatusResponse } from '@goty/shared/game';
import { type Answer, phasesAt } from '../ask.ts';
import type { VoteStatus } from '../vote-status.ts';

/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many answers the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;
/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Returns the function to call with each answer. `tell` is called when one has changed the status of the vote, and when
 * a phase begins by the server's clock. While the server does not answer, its last answer stays valid.
 */
export function createStatusReport(tell: (status: VoteStatus) => void): (answer: Answer) => void {
  let told: VoteStatus | undefined;
  let measurements: readonly number[] = [];
  let nextPhase: ReturnType<typeof setTimeout> | undefined;

  return ({ status, at }: Answer) => {
    measurements = [status.now - at, ...measurements].slice(0, MEASUREMENTS);
    // The servers of a CDN disagree for some seconds: a result that was shown is not hidden again.
    const isShown = told?.resultPhase === 'closed' && told.closesAt === status.closesAt;
    report(isShown ? { ...status, frozenAt: undefined } : status);
  };

  function report(response: StatusResponse) {
    const { now: _now, ...rest } = response;
    const clockOffset = estimateOffset();
    const now = Date.now() + clockOffset;
    const next: VoteStatus = { ...rest, ...phasesAt(now, response), clockOffset };
    if (JSON.stringify(next) !== JSON.stringify(told)) {
      told = next;
      tell(next);
    }
    const times = [rest.opensAt, rest.closesAt, rest.frozenAt];
    const begins = Math.min(...times.map((time = 0) => (time > now ? time : Infinity)));
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
    const last = told?.clockOffset ?? Infinity;
    return Math.abs(offset - last) <= CLOCK_TOLERANCE_MS ? last : offset;
  }
}
