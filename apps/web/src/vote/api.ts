import type { VoteResponse } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { parseNominees, parseVoteResponse } from '@goty/shared/parse';
import { API_PATHS, IDEMPOTENCY_KEY, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { texts } from '@goty/shared/texts';
import { API_BASE } from '../base/api-base.ts';

/** `GET /goty`. Rejects if the request fails, times out or returns anything but a nominee list. */
export async function fetchNominees(): Promise<Nominee[]> {
  const response = await fetch(`${API_BASE}${API_PATHS.nominees}`, {
    signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
  });
  const nominees = response.ok ? parseNominees(await response.json()) : undefined;
  if (!nominees) throw new Error(`GET /goty: ${response.status} without a nominee list`);
  return nominees;
}

export interface VoteResult {
  /** What to tell the visitor: the server's own response, or a fallback (SPEC W8). */
  readonly response: VoteResponse;
  /**
   * Whether the outcome of the vote is known:
   * - `decided`: yes, the server has counted or refused it
   * - `retryable`: no, but it is worth retrying soon: there was no connection, or a 503
   * - `undecided`: no; only sending the same key again will tell
   */
  readonly state: 'decided' | 'retryable' | 'undecided';
}

/**
 * `POST /goty/{id}`. Never rejects.
 *
 * @param key the Idempotency-Key of the press, which counts once however often it is sent
 */
export async function postVote(gameId: string, key: string): Promise<VoteResult> {
  let response: Response;
  try {
    response = await fetch(`${API_BASE}${API_PATHS.vote(encodeURIComponent(gameId))}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [IDEMPOTENCY_KEY]: key },
      body: '{}',
      signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
    });
  } catch (error) {
    return isTimeout(error)
      ? failed(texts.dialog.timedOut, 'undecided')
      : failed(texts.dialog.unreachable, 'retryable');
  }
  const state = stateOf(response.status);
  const body = parseVoteResponse(await readJson(response));
  if (body) return { response: body, state };
  return failed(texts.dialog.unreadable, state === 'retryable' ? state : 'undecided');
}

function stateOf(status: number): VoteResult['state'] {
  if (status === 503) return 'retryable';
  return status < 500 ? 'decided' : 'undecided';
}

/** Resolves with `undefined` if the body is not JSON or is truncated. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function failed(mensaje: string, state: VoteResult['state']): VoteResult {
  return { response: { ok: false, mensaje }, state };
}

function isTimeout(error: unknown) {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
