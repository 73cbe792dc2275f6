import {
  type Anomaly,
  DESK_DEADLINE_MS,
  DESK_PATHS,
  type DeskState,
  RECOUNT_QUERY,
} from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { DESK_NAME, isLoopback, PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import { request } from '../base/request.ts';
import { screenUrl } from '../share/share.ts';

/** Why there is no value. Only a body of ours says that something was not done, or that the desk has ended here. */
export interface Refusal {
  readonly outcome: 'not-done' | 'unknown' | 'ended';
  readonly why: string;
}

/** What the server has told, or why it has not. */
export type DeskResult<Value> = { readonly value: Value } | { readonly refusal: Refusal };

// Kept in the browser: in sessionStorage the code of a link until it is answered, in localStorage the key.

/** Whether a link waits to be used; 'unkept' if this browser could not keep a key. */
export function findLink(): 'none' | 'unused' | 'unkept' {
  try {
    localStorage.setItem(`${DESK_NAME}-`, '');
    localStorage.removeItem(`${DESK_NAME}-`);
    return sessionStorage.getItem(DESK_NAME) === null ? 'none' : 'unused';
  } catch {
    return 'unkept';
  }
}

/** Lets this browser in if it came with a code, or else asks for the state. A lost answer can be asked for again. */
export async function pairOrFetchState(): Promise<DeskResult<DeskState>> {
  const code = sessionStorage.getItem(DESK_NAME);
  if (code === null) return callDesk(DESK_PATHS.state);
  const key = localStorage.getItem(DESK_NAME) ?? newSecret(32);
  localStorage.setItem(DESK_NAME, key);
  const result = await callDesk<DeskState>(DESK_PATHS.pair, { sent: { code }, key });
  // Another tab may have made a key for the same link at the same time. The one that was let in is the one to keep.
  if ('value' in result) localStorage.setItem(DESK_NAME, key);
  const isAnswered = 'value' in result || result.refusal.outcome === 'ended';
  if (isAnswered || localStorage.getItem(DESK_NAME) !== key) sessionStorage.removeItem(DESK_NAME);
  return result;
}

const STATE_AND_RECOUNT = `${DESK_PATHS.state}?${RECOUNT_QUERY}`;
export const requestRecount = () => callPatiently<DeskState>(STATE_AND_RECOUNT);
export const requestTimes = (times: object) => callPatiently<DeskState>(DESK_PATHS.state, times);
export const requestAnomalies = () => callPatiently<readonly Anomaly[]>(DESK_PATHS.traffic);
export const requestVoidChange = (votes: object) =>
  callPatiently<DeskState>(DESK_PATHS.void, votes);
export const requestBrowserChange = (browsers: object) =>
  callPatiently<DeskState>(DESK_PATHS.browsers, browsers);
export const newCode = () => newSecret(16);
export const forgetKey = () => localStorage.removeItem(DESK_NAME);

/** Waits for a little longer than the server does. */
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
  // Over http, code and key could be read on their way.
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
  // A gateway or a portal may answer in the server's place, with any status.
  const { response, body } = typeof answer === 'string' ? {} : answer;
  if (response?.ok && isOurs<Value>(body, 'timesRevision')) return { value: body };
  if (!response || !isOurs<{ mensaje: string }>(body, 'mensaje'))
    return { refusal: { outcome: 'unknown', why: deskTexts.lost } };
  const isEnded = response.status === 401 && localStorage.getItem(DESK_NAME) === key;
  if (isEnded) forgetKey();
  const refused = isEnded ? 'ended' : 'not-done';
  const outcome = response.status >= 500 ? 'unknown' : refused;
  return { refusal: { outcome, why: body.mensaje } };
}

/** The link that lets in whoever opens it with that code: best an address that other devices can open, too. */
export function deskLink(code: string): string {
  const { hostname, origin } = window.location;
  const shared = isLoopback(hostname) ? screenUrl('/inicio') : undefined;
  const page = shared?.startsWith('https:') ? shared : `${origin}/inicio`;
  return `${page}#${DESK_NAME}=${code}`;
}

/** Random bytes in base64url. */
function newSecret(bytes: number): string {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Whether a body is the server's. Both come from one deploy: more than that need not be looked at. */
function isOurs<Value>(body: unknown, name: string): body is Value {
  return typeof body === 'object' && body !== null && (Array.isArray(body) || name in body);
}
