import type { Nominee, VoteResponse } from '@goty/shared/game';
import { parseNominees, parseVoteResponse } from '@goty/shared/parse';
import { texts } from '@goty/shared/texts';

/** SPEC C6: on the page's own origin unless configured at build time. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? '/api';

/** Longer than the server's own deadline of 8 s, so that its answer comes first. */
const TIMEOUT_MS = 10_000;

/** `GET /goty`. Rejects when there is no answer, or one that is no nominee list. */
export async function fetchNominees(): Promise<Nominee[]> {
  const response = await fetch(`${API_BASE}/goty`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const nominees = response.ok ? parseNominees(await response.json()) : undefined;
  if (!nominees) throw new Error(`GET /goty answered ${response.status} without a nominee list`);
  return nominees;
}

export interface VoteAnswer {
  readonly response: VoteResponse;
  /** Whether the server has decided. If not, the vote may be counted: only its key tells. */
  readonly isFinal: boolean;
}

/**
 * `POST /goty/{id}`. Never rejects: where there is no usable answer, the response is a text of
 * ours (SPEC C8).
 *
 * @param key the Idempotency-Key of the press: the same key again counts no second vote
 */
export async function postVote(gameId: string, key: string): Promise<VoteAnswer> {
  let answer: Response;
  try {
    answer = await fetch(`${API_BASE}/goty/${encodeURIComponent(gameId)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: '{}',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    return failed(isTimeout(error) ? texts.dialog.timedOut : texts.dialog.unreachable);
  }
  const response = parseVoteResponse(await readJson(answer));
  if (!response) return failed(texts.dialog.unreadable);
  return { response, isFinal: answer.status < 500 };
}

/** `undefined` for a body that is no JSON or breaks off. */
async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
}

function failed(mensaje: string): VoteAnswer {
  return { response: { ok: false, mensaje }, isFinal: false };
}

function isTimeout(error: unknown) {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
