import {
  type Anomaly,
  DESK_DEADLINE_MS,
  DESK_PATHS,
  type DeskResponse,
  RECOUNT_QUERY,
} from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { DESK_NAME, isLoopback, PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import { request } from '../base/request.ts';
import {
  type DeskRefusal,
  type FetchedStandings,
  fetchStandings,
  STANDINGS_TIMEOUT_MS,
  type StandingsAnswer,
} from '../live/fetch-standings.ts';
import { screenUrl } from '../share/share.ts';

export type DeskResult<Value> = { readonly value: Value } | { readonly refusal: DeskRefusal };

// sessionStorage has the code of a link until the server has answered it; localStorage has this browser's key.

/** 'unused': the code of a link waits to be used. 'unkept': this browser could not keep a key. */
export function readLinkState(): 'none' | 'unused' | 'unkept' {
  try {
    localStorage.setItem(`${DESK_NAME}-`, '');
    localStorage.removeItem(`${DESK_NAME}-`);
    return sessionStorage.getItem(DESK_NAME) === null ? 'none' : 'unused';
  } catch {
    return 'unkept';
  }
}

export const hasKey = () => localStorage.getItem(DESK_NAME) !== null;

/** Fetches the desk's report and the standings; if the server refuses the desk, the standings as everybody gets them. */
export async function fetchDesk(): Promise<StandingsAnswer> {
  // Where nothing can be stored any more, the desk cannot tell who this browser is.
  const unkept = { refusal: { outcome: 'not-done', why: deskTexts.unkept } } as const;
  const result = await pairOrFetchReport().catch((error: unknown) => {
    if (error instanceof DOMException) return unkept;
    throw error;
  });
  if ('value' in result) return toAnswer(result.value);
  const { refusal } = result;
  // Asking for the standings after this would take as long again, and meanwhile the page would call old ones live.
  if (refusal.outcome === 'unanswered') return { retryAfterMs: 0, desk: refusal };
  return { ...(await fetchStandings()), desk: refusal };
}

export function toAnswer({ publicAnswer, ...desk }: DeskResponse): FetchedStandings {
  const { standings, tally, ...status } = publicAnswer;
  return { status, standings, tally, desk, at: performance.now() };
}

/** If the answer to the code of a link was lost, the code can be sent again. */
async function pairOrFetchReport(): Promise<DeskResult<DeskResponse>> {
  const code = sessionStorage.getItem(DESK_NAME);
  if (code === null) {
    // Without a key, the desk has ended here: another tab has forgotten the key.
    if (!hasKey()) return { refusal: { outcome: 'ended', why: deskTexts.ended } };
    return callDesk(DESK_PATHS.state, { patienceMs: STANDINGS_TIMEOUT_MS });
  }
  const key = localStorage.getItem(DESK_NAME) ?? newSecret(32);
  localStorage.setItem(DESK_NAME, key);
  const result = await callDesk<DeskResponse>(DESK_PATHS.pair, { sent: { code }, key });
  // Another tab may have made a key for the same link at the same time. The key that was let in is the one to keep.
  if ('value' in result) localStorage.setItem(DESK_NAME, key);
  const isAnswered = 'value' in result || result.refusal.outcome === 'ended';
  if (isAnswered || localStorage.getItem(DESK_NAME) !== key) sessionStorage.removeItem(DESK_NAME);
  return result;
}

const STATE_AND_RECOUNT = `${DESK_PATHS.state}?${RECOUNT_QUERY}`;
export const requestRecount = () => callPatiently<DeskResponse>(STATE_AND_RECOUNT);
/** Asks the server to change the times of the vote as a whole. */
export const requestTimes = (times: object) => callPatiently<DeskResponse>(DESK_PATHS.state, times);
export const requestAnomalies = () => callPatiently<readonly Anomaly[]>(DESK_PATHS.traffic);
export const requestVoidChange = (votes: object) =>
  callPatiently<DeskResponse>(DESK_PATHS.void, votes);
export const requestBrowserChange = (browsers: object) =>
  callPatiently<DeskResponse>(DESK_PATHS.browsers, browsers);
/** Returns the code of an invitation link to the desk, which works once. */
export const newCode = () => newSecret(16);
export const forgetKey = () => localStorage.removeItem(DESK_NAME);

/** Calls the desk's API, and waits for the answer a little longer than the server may take. */
function callPatiently<Value>(path: string, sent?: object) {
  return callDesk<Value>(path, { sent, patienceMs: DESK_DEADLINE_MS + PAGE_TIMEOUT_MS });
}

interface Call {
  readonly sent?: object | undefined;
  readonly patienceMs?: number;
  readonly key?: string;
}

async function callDesk<Value>(
  path: string,
  { sent, patienceMs, key = localStorage.getItem(DESK_NAME) ?? '' }: Call = {},
): Promise<DeskResult<Value>> {
  // Over http, code and key could be read on their way, so the desk sends neither, except on the machine itself.
  const { hostname, protocol } = window.location;
  if (protocol !== 'https:' && !isLoopback(hostname))
    return { refusal: { outcome: 'not-done', why: deskTexts.elsewhere } };
  const init: RequestInit = {
    ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
    headers: { Authorization: `Bearer ${key}` },
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  };
  const answer = await request(path, init, patienceMs);
  if (typeof answer === 'string')
    return { refusal: { outcome: 'unanswered', why: deskTexts.lost } };
  // A gateway or a portal may answer in the server's place. Only a body of the server's says that something was not done.
  const { response, body } = answer;
  if (response.ok && isOurs<Value>(body, 'publicAnswer')) return { value: body };
  if (!isOurs<{ mensaje: string }>(body, 'mensaje'))
    return { refusal: { outcome: 'unknown', why: deskTexts.lost } };
  const isEnded = response.status === 401 && localStorage.getItem(DESK_NAME) === key;
  if (isEnded) forgetKey();
  const refused = isEnded ? 'ended' : 'not-done';
  const outcome = response.status >= 500 ? 'unknown' : refused;
  return { refusal: { outcome, why: body.mensaje } };
}

/** If possible, the link is an address that other devices can open, too. */
export function deskLink(code: string): string {
  const { hostname, origin } = window.location;
  const shared = isLoopback(hostname) ? screenUrl('/inicio') : undefined;
  const page = shared?.startsWith('https:') ? shared : `${origin}/inicio`;
  return `${page}#${DESK_NAME}=${code}`;
}

/** Returns so many random bytes in base64url. */
function newSecret(bytes: number): string {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Page and server come from one deploy, so one field, or a list, is enough to recognize the server's body. */
function isOurs<Value>(body: unknown, name: string): body is Value {
  return typeof body === 'object' && body !== null && (Array.isArray(body) || name in body);
}
