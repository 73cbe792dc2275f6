import type { TimeRange } from './act.ts';
import type { Nominee } from './nominee.ts';
import type { TimeName } from './vote-times.ts';

/** A game and its votes. In Firestore, `id` is also the id of its document. */
export interface Game extends Nominee {
  /** Votes counted so far: an integer, 0 or more. */
  readonly votos: number;
}

export type Standing = Pick<Game, 'id' | 'name' | 'votos'>;

/** Returns what visitors may learn of a game. The API, the stream and the desk all send this. */
export function toStanding({ id, name, votos }: Standing): Standing {
  return { id, name, votos };
}

export interface ChartDatum {
  readonly name: string;
  /** The game's votes: an integer, 0 or more. */
  readonly value: number;
}

/** The body of the response to a vote, to a health check and to every request that fails. */
export interface VoteResponse {
  readonly ok: boolean;
  /** A sentence in Spanish for the visitor. */
  readonly mensaje: string;
  /** With one vote for each visitor: the id of the game that the visitor had voted for before, at `votedAt`. */
  readonly votedFor?: string;
  /** When the visitor's stored vote was cast, in milliseconds since the Unix epoch: the `replaces` of a new vote (SPEC V14). */
  readonly votedAt?: number | undefined;
}

export interface VoteRequest extends EarlierVote {
  /** With one vote for each code: the visitor's code, in any form in which it may be typed (SPEC V17). */
  readonly code?: string | undefined;
}

/** What the page knows of an earlier vote of the visitor, if only one vote of each visitor counts (SPEC V14). */
export interface EarlierVote {
  /** When the earlier vote was cast, if the new one is to replace it, in milliseconds since the Unix epoch. */
  readonly replaces?: number | undefined;
  /** The `voteId` at that time. If the vote as a whole has another id by now, the new vote is the visitor's first. */
  readonly votedIn?: string | undefined;
  /**
   * The `Voter-Tag` of the answer to the earlier vote. If the server knows this voter by another tag, because the cookie is gone,
   * the new vote is not the visitor's first, and does not count.
   */
  readonly votedAs?: string | undefined;
}

/** Times are in milliseconds since the Unix epoch, and missing if not set. Once the result is shown, `frozenAt` is missing. */
export interface StatusResponse extends Readonly<Partial<Record<TimeName, number | undefined>>> {
  /** The server's clock when it answered. */
  readonly now: number;
  /** Grows whenever the operator changes what visitors can see: of two answers, the one with the smaller number is older. */
  readonly changes: number;
  /** With the result: true once every vote from before the close is in it. */
  readonly final?: boolean | undefined;
  /** With the result: how many votes the operator has voided, if any. */
  readonly voided?: number | undefined;
  /** With the result: when the voided votes were cast. Each range includes `from`, and not `to`. */
  readonly voids?: readonly TimeRange[] | undefined;
  /** With the result: when the vote would have closed, if its close was changed after its opening. */
  readonly movedFrom?: number | undefined;
  /** With the result: when the vote was opened again, if it had ended. */
  readonly reopenedAt?: number | undefined;
  /** The revision of the nominee list (see `listRevisionOf`). */
  readonly nominees: string;
  /** The id of the vote as a whole: a reset, and another database, have a new one. A vote from before votes had ids has ''. */
  readonly voteId: string;
  readonly onePerVisitor: boolean;
  /** True if each vote needs a voting code. */
  readonly needsCode?: boolean | undefined;
}

/** The body of `GET /standings`. */
export interface StandingsResponse extends StatusResponse {
  /** All games, ordered by id. */
  readonly standings: readonly Standing[];
  /**
   * Grows whenever votes or changes of votes come into the standings: of two answers with the same `changes`, the one with the
   * smaller tally has the older standings. The sum of all votes does not tell that, since a change of a vote leaves it as it was.
   */
  readonly tally: number;
}

/** The body of the response to `POST /lease`. */
export interface LeaseResponse {
  /** How long the page may listen to Firestore, in milliseconds; 0 for not at all. */
  readonly ms: number;
}

export function totalVotes(standings: readonly Pick<Game, 'votos'>[]): number {
  return standings.reduce((total, { votos }) => total + votos, 0);
}

/** Returns what the chart draws of a game. Votes that are missing or invalid become 0 (SPEC W14). */
export function toChartDatum(game: {
  readonly name: string;
  readonly votos?: unknown;
}): ChartDatum {
  return { name: game.name, value: wholeVotes(game.votos) ?? 0 };
}

/** Returns `value` if it is an integer of 0 or more, else `undefined` (SPEC W14). */
export function wholeVotes(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
