import type { TimeRange, ToldAct } from './act.ts';
import type { Standing, StandingsResponse } from './game.ts';
import type { TimesChange, VoteTimes } from './vote-times.ts';

// What the operator's desk, a panel on inicio, and the server tell each other.

/** The paths of the desk's part of the API, relative to its prefix. */
export const DESK_PATHS = {
  state: '/desk',
  pair: '/desk/pair',
  traffic: '/desk/traffic',
  void: '/desk/void',
  browsers: '/desk/browsers',
} as const;

/** How long the code of a link may be used. */
export const CODE_MS = 15 * 60_000;

/** How many browsers may use the desk at once. */
export const MAX_BROWSERS = 20;

/** The query that asks whether the sums are right. */
export const RECOUNT_QUERY = 'recount';

/** A desk may read every ballot, which takes longer than a visitor would wait. Hosting gives up after 60 s. */
export const DESK_DEADLINE_MS = 50_000;

/** Votes for a game that were cast in a range of time. */
export interface VoteRange extends TimeRange {
  readonly game: string;
}

/** Minutes in which a game stands out, its votes, and how many were to be expected. */
export interface Anomaly extends VoteRange {
  readonly votos: number;
  readonly expected: number;
}

/** What only the desk is told. What everybody is told comes beside it, as `publicAnswer`. */
export interface DeskReport {
  readonly now: number;
  readonly times: Partial<VoteTimes>;
  /** Names `times`: a wish that comes with this revision is refused if the times have changed since. */
  readonly timesRevision: string;
  /** The earlier times, if the desk has brought the close forward and it is still to come. */
  readonly cancel?: TimesChange | undefined;
  /** With all votes, also those that are hidden. */
  readonly games: readonly Standing[];
  readonly voided: number;
  /** How many codes were made, of which each has one vote; missing if there are none. */
  readonly codesMade?: number | undefined;
  /** How many sums differ from the ballots, if that was asked. */
  readonly faults?: number | undefined;
  readonly isHealthy: boolean;
  /** The time until a close that is wished at once, so that every page counts down. */
  readonly noticeMs: number;
  /**
   * The browsers that may use the desk, the newest first. `id` lets nobody in, `since` is when a browser came, and
   * `isThis` marks the one that asks.
   */
  readonly browsers: readonly {
    readonly id: string;
    readonly since: number;
    readonly isThis: boolean;
  }[];
  /** The last acts, newest first. */
  readonly acts: readonly ToldAct[];
}

/** The body of every answer of the desk but that of `traffic`. */
export interface DeskResponse extends DeskReport {
  /** What `GET /standings` answers, of the same snapshot. */
  readonly publicAnswer: StandingsResponse;
}
