import {
  DESK_PATHS,
  type DeskState,
  RECOUNT_QUERY,
  type Run,
  type TimesRequest,
  type VoidRequest,
} from '@goty/shared/desk';
import { deskTexts } from '@goty/shared/desk-texts';
import { DESK } from '@goty/shared/protocol';
import { request } from '../base/request.ts';

const KEY = `goty-${DESK}`;

/** What the server has told, and when by this clock, or why it has not. */
export type Told<Value> =
  | { readonly value: Value; readonly at: number }
  | { readonly refusal: string; readonly status: number };

/** The desk's connection to the server. Its key is kept in localStorage or, if that is blocked, until the page is left. */
export function createDeskClient() {
  let key = stored() ?? newKey();
  return {
    /** Lets this browser in. If the answer is lost, the same can be asked again. */
    pair: (code: string) => {
      store(key);
      return ask(DESK_PATHS.pair, isState, { code });
    },
    read: (isRecounted = false) =>
      ask(`${DESK_PATHS.state}${isRecounted ? `?${RECOUNT_QUERY}` : ''}`, isState),
    changeTimes: (times: TimesRequest) => ask(DESK_PATHS.state, isState, times),
    findRuns: () => ask(DESK_PATHS.traffic, isRuns),
    voidVotes: (votes: VoidRequest) => ask(DESK_PATHS.void, isState, votes),
    forget() {
      store(undefined);
      key = newKey();
    },
  };

  async function ask<Value>(
    path: string,
    isValue: (body: unknown) => body is Value,
    sent?: object,
  ): Promise<Told<Value>> {
    const answer = await request(path, {
      ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (typeof answer === 'string') return { refusal: deskTexts.lost, status: 0 };
    const { response, body } = answer;
    if (response.ok && isValue(body)) return { value: body, at: Date.now() };
    const refusal = isRecord(body) && typeof body.mensaje === 'string' && body.mensaje;
    return { refusal: refusal || deskTexts.lost, status: response.status };
  }
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(key: string | undefined) {
  try {
    if (key === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, key);
  } catch {}
}

// The rest is the same deploy's: page and server are loaded together.
function isState(body: unknown): body is DeskState {
  return isRecord(body) && typeof body.revision === 'string' && Array.isArray(body.games);
}

function isRuns(body: unknown): body is readonly Run[] {
  return Array.isArray(body);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
