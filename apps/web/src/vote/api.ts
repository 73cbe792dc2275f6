import type { VoteResponse } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { parseNominees, parseVoteResponse } from '@goty/shared/parse';
import { API_PATHS, IDEMPOTENCY_KEY, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { texts } from '@goty/shared/texts';
import { API_BASE } from '../base/api-base.ts';

/** `GET /goty`. Rejects when there is no answer, or one that is no nominee list. */
export async function fetchNominees(): Promise<Nominee[]> {
  const response = await fetch(`${API_BASE}${API_PATHS.nominees}`, {
    signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
  });
  const nominees = response.ok ? parseNominees(await response.json()) : undefined;
  if (!nominees) throw new Error(`GET /goty answered ${response.status} without a nominee list`);
  return nominees;
}

export interface VoteAnswer {
  readonly response: VoteResponse;
  /**
   * - `decided`: the server has said what became of the vote;
   * - `unreachable`: there was no connection, or the server is busy: worth another try at once;
   * - `undecided`: nobody knows whether it is counted; only its key tells.
   */
  readonly state: 'decided' | 'unreachable' | 'undecided';
}

/**
 * `POST /goty/{id}`. Never rejects: where there is no usable answer, the response is a text of
 * ours (SPEC W8).
 *
 * @param key the Idempotency-Key of the press: the same key again counts no second vote
 */
export async function postVote(gameId: string, key: string): Promise<VoteAnswer> {
  let answer: Response;
  try {
    answer = await fetch(`${API_BASE}${API_PATHS.vote(encodeURIComponent(gameId))}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [IDEMPOTENCY_KEY]: key },
      body: '{}',
      signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
    });
  } catch (error) {
    return isTimeout(error)
      ? failed(texts.dialog.timedOut, 'undecided')
      : failed(texts.dialog.unreachable, 'unreachable');
  }
  const state = stateOf(answer.status);
  const response = parseVoteResponse(await readJson(answer));
  if (response) return { response, state };
  return failed(texts.dialog.unreadable, state === 'unreachable' ? state : 'undecided');
}

function stateOf(status: number): VoteAnswer['state'] {
  if (status === 503) return 'unreachable';
  return status < 500 ? 'decided' : 'undecided';
}

/** `undefined` for a body that is no JSON or breaks off. */
async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
}

function failed(mensaje: string, state: VoteAnswer['state']): VoteAnswer {
  return { response: { ok: false, mensaje }, state };
}

function isTimeout(error: unknown) {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
