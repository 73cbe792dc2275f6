import { API_PREFIX, PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import type { voteTexts } from '@goty/shared/vote-texts';

/** The base URL of the API: `VITE_API_BASE` at build time, else a path on the page's own origin. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? API_PREFIX;

/**
 * How the page asks for what its HTML preloads: as the link does, or it would be asked for twice. On the
 * page's own origin that is without CORS, because WebKit sends `Origin` for a link with `crossorigin`, but
 * not for a script.
 */
export const AS_PRELOADED: RequestInit = API_BASE.startsWith('/')
  ? { mode: 'no-cors', credentials: 'include' }
  : {};

/** The fragments of inicio's address that show the stage, and the same over a video. */
export const STAGE_HASH = '#sala';
export const OVERLAY_HASH = '#directo';

/** With or without what others have written behind it, such as `&utm_source=qr`. */
export const isStageHash = (hash: string) => /^#(sala|directo)\b/.test(hash);

/** Why a request failed: no connection, no response in time, a server that is busy, or broken. */
export type FailureReason = keyof typeof voteTexts.failures;

/** Resolves with the response and its JSON, which is `undefined` if it is none, or with why there is no response. */
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

/** Why a response is unusable. 429 and 503 also come from proxies, without our body. */
export function failureReasonOf({ status }: Response): FailureReason {
  return status === 429 || status === 503 ? 'busy' : 'broken';
}

/** `AbortSignal.timeout`, which came to Safari with 16 and to Chrome with 103. */
export function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Calls `run` whenever the connection is back. Returns the function that ends that. */
export function whenOnline(run: () => void): () => void {
  window.addEventListener('online', run);
  return () => window.removeEventListener('online', run);
}
