import type { TimeRange, ToldAct } from './act.ts';
import type { Standing, StandingsResponse } from './game.ts';
import type { TimesChange, VoteTimes } from './vote-times.ts';

export const DESK_PATHS = {
  state: '/desk',
  pair: '/desk/pair',
  traffic: '/desk/traffic',
  void: '/desk/void',
  browsers: '/desk/browsers',
} as const;

/** How long the code of a link to the desk may be used. */
export const CODE_MS = 15 * 60_000;

export const MAX_BROWSERS = 20;

/** The query parameter that asks the server whether the sums are those of the ballots. */
export const RECOUNT_QUERY = 'recount';

/** A request of the desk may read every ballot, which takes longer than a visitor would wait. Hosting gives up after 60 s. */
export const DESK_DEADLINE_MS = 50_000;

export interface VoteRange extends TimeRange {
  readonly game: string;
}

/** Minutes in which a game got strikingly many votes, how many these were, and how many were to be expected. */
export interface Anomaly extends VoteRange {
  readonly votos: number;
  readonly expected: number;
}

/** What only the desk is told. What everybody is told comes beside it, as `publicAnswer`. */
export interface DeskReport {
  readonly now: number;
  readonly times: Partial<VoteTimes>;
  /** Stands for `times`: a change that is requested with this revision is refused if the times have changed since. */
  readonly timesRevision: string;
  /** The change that restores the earlier times, if the desk has brought the close forward, and the close is still to come. */
  readonly cancel?: TimesChange | undefined;
  /** The games with all their votes, also those that are hidden from everybody else. */
  readonly games: readonly Standing[];
  readonly voided: number;
  /** How many voting codes were made, of which each has one vote; missing if there are none. */
  readonly codesMade?: number | undefined;
  /** How many sums differ from the ballots, if the request has asked for that (RECOUNT_QUERY). */
  readonly faults?: number | undefined;
  readonly isHealthy: boolean;
  /** How much later a vote closes that the operator closes at once, in milliseconds, so that every page can count down. */
  readonly noticeMs: number;
  /** The newest browser is first. Its `id` lets nobody in. `isThis` marks the browser that asks. */
  readonly browsers: readonly {
    readonly id: string;
    readonly since: number;
    readonly isThis: boolean;
  }[];
  /** The last acts, newest first. */
  readonly acts: readonly ToldAct[];
}

/** The body of every answer of the desk's API but that of `traffic`. */
export interface DeskResponse extends DeskReport {
  /** What `GET /standings` would answer, from the same snapshot as the report. */
  readonly publicAnswer: StandingsResponse;
}
