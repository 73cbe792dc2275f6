import type { Nominee } from '@goty/shared/nominee';
import { LIVE_MARKS } from '@goty/shared/page-html';
import { parseNominees } from '@goty/shared/parse';
import { API_PATHS, API_PREFIX, FIRESTORE_EMULATOR } from '@goty/shared/protocol';

/** Longer than any cold start, because the operator is to learn how long it took. */
const PATIENCE_MS = 60_000;

/** So much of a text that is missing shows which one it is. */
const MAX_SHOWN = 60;

/** A home as it was first seen. */
export type Home = Awaited<ReturnType<typeof look>>;

/**
 * Sends a request such as `GET /inicio`, to this home unless it names another. Follows no redirect. Resolves
 * with the status, a line for each header with its name in lower case, an empty line, and the body.
 */
export type Ask = (request: string, init?: RequestInit) => Promise<string>;

/**
 * What an answer needs: a status, a text (see `Ask`), or something else, and whether it is there. `all`
 * are those that the same check has got, of which this is the newest.
 */
export type Need =
  | number
  | string
  | readonly [what: string, isThere: (answer: string, all: readonly string[]) => boolean];

/** A request, and what its answer needs. */
export type Probe = readonly [request: string, needs: readonly Need[], init?: RequestInit];

/** @param send as `fetch` does */
export function createAsk(
  origin: string,
  send: (url: URL, init: RequestInit) => Promise<Response>,
): Ask {
  return async (request, init) => {
    const [method = '', ...target] = request.split(' ');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const url = new URL(target.join(' '), origin);
    const answer = await send(url, { method, redirect: 'manual', signal, ...init });
    let text = `${answer.status}\n`;
    for (const [name, value] of answer.headers) text += `${name}: ${value}\n`;
    text += '\n';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      // A stream of events does not end.
      if (text.includes('data: [')) break;
    }
    return text;
  };
}

/**
 * Says what the newest answer is, and the first of its needs that it does not meet, if there is one.
 *
 * @param answers those to the probes of one check
 */
export function faultOf(needs: readonly Need[], answers: readonly string[]): string | undefined {
  const answer = answers.at(-1) ?? '';
  const missing = needs.find((need) => {
    if (typeof need === 'number') return !answer.startsWith(`${need}\n`);
    return typeof need === 'string' ? !answer.includes(need) : !need[1](answer, answers);
  });
  if (missing === undefined) return undefined;
  let lacks = `not ${missing}`;
  if (typeof missing === 'string') lacks = `without '${missing.trim().slice(0, MAX_SHOWN)}'`;
  if (typeof missing === 'object') lacks = `without ${missing[0]}`;
  const [, mensaje] = /"mensaje":("[^"]*")/.exec(answer) ?? [];
  return ['is', answer.slice(0, 3), lacks, mensaje].filter(Boolean).join(' ');
}

/** Asks for what the checks depend on. */
export async function look(origin: string, ask: Ask) {
  const page = await ask('GET /inicio');
  // Firebase Hosting says here which project it serves.
  const config = await ask('GET /__/firebase/init.json');
  const status = await ask(`GET ${API_PREFIX}${API_PATHS.standings}`);
  const list = await ask(`GET ${API_PREFIX}${API_PATHS.nominees}`);
  const [, project] = /"projectId": *"([^"]+)"/.exec(config) ?? [];
  const [, emulator = FIRESTORE_EMULATOR] = /data-firestore="([^"]+)"/.exec(page) ?? [];
  // Projects with this prefix exist only in the emulators.
  const isEmulated = project?.startsWith('demo-');
  const firestore = isEmulated ? `http://${emulator}` : 'https://firestore.googleapis.com';
  return {
    origin,
    isCloud: project !== undefined || page.includes(`data-live="${LIVE_MARKS.firestore}"`),
    /** The project's documents in Firestore's REST API, if the project is known. */
    documents: project && `${firestore}/v1/projects/${project}/databases/(default)/documents`,
    nominees: nomineesIn(list),
    onePerVisitor: status.includes('"onePerVisitor":true'),
    hasCdn: /\n(age|x-cache): /.test(list),
  };
}

/** None, if the answer is something else. Then a check says so. */
function nomineesIn(answer: string): Nominee[] {
  try {
    return parseNominees(JSON.parse(answer.slice(answer.indexOf('\n\n')))) ?? [];
  } catch {
    return [];
  }
}
