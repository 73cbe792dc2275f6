import type { Standing, StatusResponse } from '@goty/shared/game';
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
const STANDINGS_TIMEOUT_MS = MAX_STANDINGS_AGE_MS - POLL_MS;

export interface FetchedStandings {
  readonly status: StatusResponse;
  readonly standings: readonly Standing[];
  /** When it came, on `performance.now()`: the visitor may set the other clock. */
  readonly at: number;
}

/** There is no answer, or one that is none of the server's. */
export interface FetchFailure {
  /** How long the server wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
}

/** `GET /standings`. Never rejects. */
export async function fetchStandings(init?: RequestInit): Promise<FetchedStandings | FetchFailure> {
  const asked = await request(API_PATHS.standings, init, STANDINGS_TIMEOUT_MS);
  if (typeof asked === 'string') return { retryAfterMs: 0 };
  const { response, body } = asked;
  const answer = response.ok ? parseStandingsResponse(body) : undefined;
  if (answer) return { ...answer, at: performance.now() };
  return { retryAfterMs: 1_000 * (Number(response.headers.get('Retry-After')) || 0) };
}

/** What the vote and its result are at a time. 'counting': voting is over, and votes from before the close may be on their way. */
export interface Phases {
  readonly phase: ReturnType<typeof phaseAt>;
  readonly resultPhase: ReturnType<typeof resultPhaseAt> | 'counting';
}

export function phasesAt(now: number, status: StatusResponse): Phases {
  const result = resultPhaseAt(now, status);
  const resultPhase = result === 'closed' && !status.final ? 'counting' : result;
  return { phase: phaseAt(now, status), resultPhase };
}

/** Whether the voting is over, and its result not shown yet. */
export function isHeld({ phase, resultPhase }: Phases): boolean {
  return phase === 'closed' && resultPhase === 'frozen';
}
