import { API_PREFIX, PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import type { voteTexts } from '@goty/shared/vote-texts';

/** The base URL of the API: `VITE_API_BASE` at build time, else a path on the page's own origin. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

/**
 * The options of a request for what the HTML preloads. They must be those of the preloading link, or the browser would load the
 * data twice. On the page's own origin, both are without CORS, because WebKit sends `Origin` for a link with `crossorigin`, but
 * not for a script's request.
 */
export const AS_PRELOADED: RequestInit = API_BASE.startsWith('/')
  ? { mode: 'no-cors', credentials: 'include' }
  : {};

/** The fragment of inicio's address that shows the stage. */
export const STAGE_HASH = '#sala';
/** The fragment of inicio's address that shows the overlay: the stage over a video. */
export const OVERLAY_HASH = '#directo';

/**
 * Whether a fragment shows the stage or the overlay, also with what mailing services write behind it, such as `&utm_source=qr`.
 */
export const isStageHash = (hash: string) => /^#(sala|directo)\b/.test(hash);

/** Why a request failed: no connection, no response in time, a server that is busy, or broken. */
export type FailureReason = keyof typeof voteTexts.failures;

/**
 * Sends a request to the API. Resolves with the response and its body, which is `undefined` unless it is JSON, or with the reason
 * why there is no response. Never rejects.
 *
 * @param path relative to the base URL of the API
 * @param patienceMs how long to wait for the response and its body, in milliseconds
 */
export async function request(
  path: string,
  init?: RequestInit,
  patienceMs = PAGE_TIMEOUT_MS,
): Promise<{ response: Response; body: unknown } | 'unreachable' | 'late'> {
  const signal = timeout(patienceMs);
  try {
    const response = await fetch(`${API_BASE}${path}`, { ...init, signal });
    return { response, body: await response.json().catch(() => undefined) };
  } catch {
    // The signal decides, not the error, because browsers give the error different names.
    return signal.aborted ? 'late' : 'unreachable';
  }
}

/**
 * Returns why a response is unusable. The status alone tells, because 429 and 503 also come from proxies, without a body of the
 * server's.
 */
export function failureReasonOf({ status }: Response): FailureReason {
  return status === 429 || status === 503 ? 'busy' : 'broken';
}

/**
 * Returns a signal that aborts after so many milliseconds, like `AbortSignal.timeout`, which Safari has only since 16 and Chrome
 * since 103.
 */
export function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Calls `run` whenever the connection is back. Returns the function that ends these calls. */
export function whenOnline(run: () => void): () => void {
  window.addEventListener('online', run);
  return () => window.removeEventListener('online', run);
}
