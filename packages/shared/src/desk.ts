import type { deskTexts } from './desk-texts.ts';
import type { Standing, StatusResponse } from './game.ts';

// What the operator's desk, a panel on inicio, and the server tell each other.

/** The paths of the desk's part of the API, relative to its prefix. */
export const DESK_PATHS = {
  state: '/desk',
  pair: '/desk/pair',
  traffic: '/desk/traffic',
  void: '/desk/void',
} as const;

/** The query that asks for a recount, however recent the last one is. */
export const RECOUNT_QUERY = 'recount';

/** A time by the server's clock, in milliseconds since the Unix epoch; 'now'; or that there is none. */
type When = number | 'now' | 'never';

/** The times that are wished. What is not named stays. A close that is brought forward always holds the result. */
export interface WishedTimes {
  readonly closesAt?: When | undefined;
  readonly frozenAt?: When | undefined;
  /** Whether the freeze ends at the close. */
  readonly endsAtClose?: boolean | undefined;
}

/** The body of `POST /desk`. */
export interface TimesRequest extends WishedTimes {
  /** The revision that was seen: if the times have changed since, nothing happens. */
  readonly revision: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The body of `POST /desk/void`: votes for a game, cast from one time on, before another. */
export interface VoidRequest extends Range {
  readonly game: string;
  /** Counts them again. */
  readonly undo: boolean;
}

/** The answer of `GET /desk/traffic` has one for each run of minutes in which a game stands out. */
export interface Run extends Range {
  readonly game: string;
  readonly votos: number;
  /** How many votes were to be expected. */
  readonly expected: number;
}

type Times = Pick<StatusResponse, 'opensAt' | 'closesAt' | 'frozenAt'>;

/** Something that was done to the vote. */
interface DeskAct {
  readonly at: number;
  readonly by: keyof typeof deskTexts.by;
  readonly what: keyof typeof deskTexts.did;
  readonly votes?: number;
  readonly games?: readonly string[];
  readonly ranges?: readonly Range[];
  readonly before?: Partial<Times>;
  readonly after?: Partial<Times>;
}

/** What the desk shows. All other answers that are not a failure have it, too. */
export interface DeskState {
  readonly now: number;
  readonly times: Times;
  /** Of these times. */
  readonly revision: string;
  /** The earlier times, if the desk has brought the close forward and it is still to come. */
  readonly cancel?: WishedTimes | undefined;
  /** With all votes, also those that are hidden. */
  readonly games: readonly Standing[];
  readonly voided: number;
  /** While votes are hidden: how many sums differ from the ballots. */
  readonly faults: number;
  readonly isHealthy: boolean;
  /** How long before a close it has to be set, so that every page counts down, in milliseconds. */
  readonly noticeMs: number;
  /** Newest first. */
  readonly acts: readonly DeskAct[];
}
