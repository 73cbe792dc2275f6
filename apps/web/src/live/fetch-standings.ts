import type { DeskReport } from '@goty/shared/desk-protocol';
import type { StandingsResponse, StatusResponse } from '@goty/shared/game';
import {
  API_PATHS,
  MAX_STANDINGS_AGE_MS,
  POLL_MS,
  phaseAt,
  resultPhaseAt,
} from '@goty/shared/protocol';
import { parseStandingsResponse } from '../base/parse.ts';
import { request } from '../base/request.ts';

/** The page asks again before the standings on the screen are too old to be called live. */
export const STANDINGS_TIMEOUT_MS = MAX_STANDINGS_AGE_MS - POLL_MS;

export interface FetchedStandings extends Pick<StandingsResponse, 'standings' | 'tally'> {
  readonly status: StatusResponse;
  /** When the answer arrived, by `performance.now()`, because visitors may change the clock behind `Date.now()`. */
  readonly at: number;
  /** The desk's report, or why there is none; `undefined` in an answer that no operator's desk has asked for. */
  readonly desk?: DeskReport | DeskRefusal;
}

/** A request that has brought no standings: nobody answered it, or the answer has none. */
export interface FetchFailure {
  /** How long the server wants to be left alone, in milliseconds; 0 if it has not said so. */
  readonly retryAfterMs: number;
  readonly desk?: DeskRefusal;
}

/** 'not-done': nothing was done. 'unknown': perhaps something was. 'unanswered': no answer came. 'ended': the desk has ended. */
export interface DeskRefusal {
  readonly outcome: 'not-done' | 'unknown' | 'unanswered' | 'ended';
  readonly why: string;
}

export type StandingsAnswer = FetchedStandings | FetchFailure;

/** `GET /standings`. Never rejects. */
export async function fetchStandings(init?: RequestInit): Promise<StandingsAnswer> {
  const asked = await request(API_PATHS.standings, init, STANDINGS_TIMEOUT_MS);
  if (typeof asked === 'string') return { retryAfterMs: 0 };
  const { response, body } = asked;
  const answer = response.ok ? parseStandingsResponse(body) : undefined;
  if (answer) return { ...answer, at: performance.now() };
  return { retryAfterMs: 1_000 * (Number(response.headers.get('Retry-After')) || 0) };
}

/**
 * The phases of a vote. While it is 'frozen', votes count and are not shown. In the last three, voting is over: the result is not
 * shown yet ('held'), votes from before the close may still be on their way ('counting'), or the result is final ('closed').
 */
export const VOTE_PHASES = ['before', 'open', 'frozen', 'held', 'counting', 'closed'] as const;
export type VotePhase = (typeof VOTE_PHASES)[number];

/** @param now by the server's clock, in milliseconds since the Unix epoch */
export function votePhaseAt(now: number, status: StatusResponse): VotePhase {
  const phase = resultPhaseAt(now, status);
  if (phase === 'frozen' && phaseAt(now, status) === 'closed') return 'held';
  return phase === 'closed' && !status.final ? 'counting' : phase;
}

/** Whether votes count in a phase: not yet ('before'), now ('open'), or not any more ('closed'). */
const VOTING: Readonly<Record<VotePhase, ReturnType<typeof phaseAt>>> = {
  before: 'before',
  open: 'open',
  frozen: 'open',
  held: 'closed',
  counting: 'closed',
  closed: 'closed',
};

/** Which votes the public may see in a phase: none, all, or only those from before the freeze ('old'). */
const DISCLOSED: Readonly<Record<VotePhase, 'no' | 'all' | 'old'>> = {
  before: 'no',
  open: 'all',
  frozen: 'old',
  held: 'old',
  counting: 'no',
  closed: 'all',
};

export function votingIn(phase: VotePhase): ReturnType<typeof phaseAt> {
  return VOTING[phase];
}

export function isVoting(phase: VotePhase): boolean {
  return VOTING[phase] === 'open';
}

/** Whether the public sees at most the votes from before a freeze, so that nobody may be told who leads now. */
export function isSecret(phase: VotePhase): boolean {
  return DISCLOSED[phase] === 'old';
}

export function isPublic(phase: VotePhase): boolean {
  return DISCLOSED[phase] === 'all';
}
