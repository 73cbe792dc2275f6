import type { Nominee } from '@goty/shared/nominee';
import { LIVE_MARKS } from '@goty/shared/page-html';
import { parseNominees } from '@goty/shared/parse';
import { API_PATHS, API_PREFIX, FIRESTORE_EMULATOR } from '@goty/shared/protocol';

/** Longer than any cold start, because the operator is to learn how long it took. */
const PATIENCE_MS = 60_000;

/** A home as it was first seen. */
export interface Home {
  readonly origin: string;
  readonly isCloud: boolean;
  /** The project's documents in Firestore's REST API, if the project is known. */
  readonly documents: string | undefined;
  readonly nominees: readonly Nominee[];
  readonly onePerVisitor: boolean;
  readonly hasCdn: boolean;
}

/** Sends a request such as `GET /inicio`, to this home unless it names another. Follows no redirect. */
export type Ask = (request: string, init?: RequestInit) => Promise<Answer>;

interface Answer {
  /** The status, a line for each header with its name in lower case, an empty line, and the body. */
  readonly text: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** @param send as `fetch` does */
export function createAsk(
  origin: string,
  send: (url: URL, init: RequestInit) => Promise<Response>,
): Ask {
  return async (request, init) => {
    const [method = '', target = ''] = request.split(' ');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const start = performance.now();
    const url = new URL(target, origin);
    const { status, headers, body } = await send(url, {
      method,
      redirect: 'manual',
      signal,
      ...init,
    });
    let text = `${status}\n`;
    for (const [name, value] of headers) text += `${name}: ${value}\n`;
    text += '\n';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      // A stream of events does not end.
      if (text.includes('data: [')) break;
    }
    return { text, ms: Math.round(performance.now() - start) };
  };
}

/** Asks for what the checks depend on. */
export async function look(origin: string, ask: Ask): Promise<Home> {
  const { text: page } = await ask('GET /inicio');
  // Firebase Hosting says here which project it serves.
  const { text: config } = await ask('GET /__/firebase/init.json');
  const { text: status } = await ask(`GET ${API_PREFIX}${API_PATHS.status}`);
  const { text: list } = await ask(`GET ${API_PREFIX}${API_PATHS.nominees}`);
  const [, project] = /"projectId": *"([^"]+)"/.exec(config) ?? [];
  const [, emulator = FIRESTORE_EMULATOR] = /data-firestore="([^"]+)"/.exec(page) ?? [];
  // Projects with this prefix exist only in the emulators.
  const isEmulated = project?.startsWith('demo-');
  const firestore = isEmulated ? `http://${emulator}` : 'https://firestore.googleapis.com';
  return {
    origin,
    isCloud: project !== undefined || page.includes(`data-live="${LIVE_MARKS.firestore}"`),
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
