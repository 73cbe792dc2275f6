import type { VoteResponse } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { parseNominees, parseVoteResponse } from '@goty/shared/parse';
import { API_PATHS, IDEMPOTENCY_KEY, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { texts } from '@goty/shared/texts';
import { API_BASE, AS_PRELOADED } from '../base/api-base.ts';
import { timeout } from '../base/timeout.ts';

/** Why a request failed: no connection, no response in time, a server that is busy, or broken. */
export type FailureReason = keyof typeof texts.states.failures;

/**
 * `GET /goty`. Never rejects.
 *
 * @param revision to get that list past a cache with an older one
 * @returns the nominees, or why there are none
 */
export async function fetchNominees(
  revision?: string,
): Promise<readonly Nominee[] | FailureReason> {
  const path = revision === undefined ? API_PATHS.nominees : API_PATHS.nomineesOf(revision);
  const response = await request(path, AS_PRELOADED);
  if (typeof response === 'string') return response;
  const nominees = response.ok ? parseNominees(await readJson(response)) : undefined;
  return nominees ?? reasonOf(response);
}

export interface VoteResult {
  /** What to tell the visitor: the server's own response, or a fallback (SPEC W7). */
  readonly response: VoteResponse;
  /**
   * Whether the outcome of the press is known:
   * - `decided`: yes, the server has counted or refused it
   * - `retryable`: no, but it is worth retrying soon: there was no connection, a 503, or the 429
   *   of a proxy
   * - `undecided`: no; only sending the same key again will tell
   */
  readonly state: 'decided' | 'retryable' | 'undecided';
}

/**
 * `POST /goty/{id}`. Never rejects.
 *
 * @param key the Idempotency-Key of the press, which counts once however often it is sent
 * @param headers further headers
 */
export async function postVote(
  gameId: string,
  key: string,
  headers?: Record<string, string>,
): Promise<VoteResult> {
  const response = await request(API_PATHS.vote(encodeURIComponent(gameId)), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [IDEMPOTENCY_KEY]: key, ...headers },
    body: '{}',
    // The request outlives the page: visitors who leave have voted all the same.
    keepalive: true,
  });
  if (typeof response === 'string') return failed(response);
  const body = parseVoteResponse(await readJson(response));
  return body ? { response: body, state: stateOf(response) } : failed(reasonOf(response));
}

/** Resolves with the response, or with why there is none. */
async function request(
  path: string,
  init?: RequestInit,
): Promise<Response | 'unreachable' | 'late'> {
  const signal = timeout(PAGE_PATIENCE_MS);
  // The signal decides, not the error, because browsers give the error different names.
  const reason = () => (signal.aborted ? 'late' : 'unreachable');
  return fetch(`${API_BASE}${path}`, { ...init, signal }).catch(reason);
}

/** Why a response is unusable. 429 and 503 also come from proxies, without our body. */
function reasonOf({ status }: Response): FailureReason {
  return status === 429 || status === 503 ? 'busy' : 'broken';
}

/** Other refusals say nothing of an earlier attempt with the same key whose answer was lost. */
const DECIDING = [200, 400, 403, 404, 409, 422];

function stateOf({ status }: Response): VoteResult['state'] {
  if (status === 503) return 'retryable';
  return DECIDING.includes(status) ? 'decided' : 'undecided';
}

/** Resolves with `undefined` if the body is not JSON or is truncated. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function failed(reason: FailureReason): VoteResult {
  const mensaje = `${texts.states.failures[reason]} ${texts.dialog.once}`;
  const isBrief = reason === 'unreachable' || reason === 'busy';
  return { response: { ok: false, mensaje }, state: isBrief ? 'retryable' : 'undecided' };
}
