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

/** Longer than an answer takes, short enough that standings are asked for again before they are outdated. */
export const STANDINGS_TIMEOUT_MS = MAX_STANDINGS_AGE_MS - POLL_MS;

export interface FetchedStandings extends Pick<StandingsResponse, 'standings' | 'tally'> {
  readonly status: StatusResponse;
  /** When the answer came, on `performance.now()`: the visitor may set the other clock. */
  readonly at: number;
  /** Only for an operator: what the desk is told with it, or why it is told nothing. */
  readonly desk?: DeskReport | DeskRefusal;
}

/** There is no answer, or one without standings. */
export interface FetchFailure {
  /** How long the server wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
  readonly desk?: DeskRefusal;
}

/**
 * Why a request of the desk has brought nothing: it was not done, it is not known whether it was, there was no answer at all,
 * or the desk has ended in this browser.
 */
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
 * What the vote is at a time. Voting is over when it is 'held', 'counting' or 'closed': the result is not shown yet, votes from
 * before the close may be on their way, or the result is final.
 */
export const VOTE_PHASES = ['before', 'open', 'frozen', 'held', 'counting', 'closed'] as const;
export type VotePhase = (typeof VOTE_PHASES)[number];

export function votePhaseAt(now: number, status: StatusResponse): VotePhase {
  const phase = resultPhaseAt(now, status);
  if (phase === 'frozen' && phaseAt(now, status) === 'closed') return 'held';
  return phase === 'closed' && !status.final ? 'counting' : phase;
}

/** Whether votes count in a phase: not yet, now, or not any more. */
const VOTING: Readonly<Record<VotePhase, ReturnType<typeof phaseAt>>> = {
  before: 'before',
  open: 'open',
  frozen: 'open',
  held: 'closed',
  counting: 'closed',
  closed: 'closed',
};

/** Of which votes everybody may know: of none, of those from before a freeze, or of all. */
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

/** Whether it is hidden who leads. */
export function isSecret(phase: VotePhase): boolean {
  return DISCLOSED[phase] === 'old';
}

export function isPublic(phase: VotePhase): boolean {
  return DISCLOSED[phase] === 'all';
}
