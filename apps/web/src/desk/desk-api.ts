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

/** What the server has told, or why it has not. */
export type DeskResult<Value> =
  | { readonly value: Value }
  | { readonly refusal: string; status: number };

// Kept in the browser: in sessionStorage the code of a link until it is answered, in localStorage the key.

/** Lets this browser in if it came with a code, or else asks for the state. A lost answer can be asked for again. */
export async function pairOrFetchState(): Promise<DeskResult<DeskState>> {
  const code = sessionStorage.getItem(DESK_NAME);
  if (code === null) return callDesk(DESK_PATHS.state);
  if (localStorage.getItem(DESK_NAME) === null) localStorage.setItem(DESK_NAME, newKey());
  const told = await callDesk<DeskState>(DESK_PATHS.pair, { code });
  if ('value' in told || told.status === 401) sessionStorage.removeItem(DESK_NAME);
  return told;
}

export const requestRecount = () => askLong<DeskState>(`${DESK_PATHS.state}?${RECOUNT_QUERY}`);
export const requestTimes = (times: object) => callDesk<DeskState>(DESK_PATHS.state, times);
export const findRuns = () => askLong<readonly Anomaly[]>(DESK_PATHS.traffic);
export const requestVoid = (votes: object) => askLong<DeskState>(DESK_PATHS.void, votes);
export const forgetKey = () => localStorage.removeItem(DESK_NAME);

/** Waits for a little longer than the server does. */
function askLong<Value>(path: string, sent?: object) {
  return callDesk<Value>(path, sent, DESK_DEADLINE_MS + PAGE_TIMEOUT_MS);
}

async function callDesk<Value>(
  path: string,
  sent?: object,
  patienceMs?: number,
): Promise<DeskResult<Value>> {
  // Over http, code and key could be read on their way.
  const { hostname, protocol } = window.location;
  if (protocol !== 'https:' && !isLoopback(hostname))
    return { refusal: deskTexts.elsewhere, status: 403 };
  const init: RequestInit = {
    ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
    headers: { Authorization: `Bearer ${localStorage.getItem(DESK_NAME)}` },
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  };
  const said = await request(path, init, patienceMs);
  if (typeof said === 'string') return { refusal: deskTexts.lost, status: 0 };
  const { body, response } = said;
  if (response.ok && isObject<Value>(body)) return { value: body };
  const mensaje = isObject<{ mensaje?: string }>(body) && body.mensaje;
  return { refusal: mensaje || deskTexts.lost, status: response.status };
}

/** 256 bits in base64url. */
function newKey(): string {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

/** Page and server come from one deploy: more than that need not be looked at. */
function isObject<Value>(body: unknown): body is Value {
  return typeof body === 'object' && body !== null;
}
