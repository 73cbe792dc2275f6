import type { StatusResponse } from '@goty/shared/game';
import { phasesAt } from '../ask.ts';
import type { VoteStatus } from '../vote-status.ts';

/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many answers the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;
/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Tells the status of the vote when an answer has changed it, and when a phase begins by the server's clock. */
export function createStatusReport(tell: (status: VoteStatus) => void) {
  let told: VoteStatus | undefined;
  let measurements: readonly number[] = [];
  let nextPhase: ReturnType<typeof setTimeout> | undefined;

  return {
    /** @param at when the answer came, by this clock, in ms since the Unix epoch */
    hear(response: StatusResponse, at: number) {
      measurements = [response.now - at, ...measurements].slice(0, MEASUREMENTS);
      report(response);
    },
    stop: () => clearTimeout(nextPhase),
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
