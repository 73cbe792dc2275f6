import { API_PREFIX, PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import type { voteTexts } from '@goty/shared/vote-texts';

/** The base URL of the API: `VITE_API_BASE` at build time, else a path on the page's own origin. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

/**
 * The options must be those of the preloading link, or the browser would load the data twice. WebKit sends `Origin` for a link
 * with `crossorigin`, but not for a script's request, so on the page's own origin both are without CORS.
 */
export const AS_PRELOADED: RequestInit = API_BASE.startsWith('/')
  ? { mode: 'no-cors', credentials: 'include' }
  : {};

export const STAGE_HASH = '#sala';
/** The fragment of inicio's address that shows the overlay: the stage over a video. */
export const OVERLAY_HASH = '#directo';

/** Mailing services write something behind the fragment, such as `&utm_source=qr`. */
export const isStageHash = (hash: string) => /^#(sala|directo)\b/.test(hash);

export type FailureReason = keyof typeof voteTexts.failures;

/** Resolves with the response and its body, which is `undefined` unless it is JSON, or with a failure. Never rejects. */
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

/** The status alone decides, because 429 and 503 also come from proxies, without a body of the server's. */
export function failureReasonOf({ status }: Response): FailureReason {
  return status === 429 || status === 503 ? 'busy' : 'broken';
}

/** Replaces `AbortSignal.timeout`, which Safari has only since 16 and Chrome since 103. */
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
