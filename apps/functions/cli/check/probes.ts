import type { StatusResponse } from '@goty/shared/game';
import type { LiveMark } from '@goty/shared/page-html';
import {
  API_PATHS,
  API_PREFIX,
  FIRESTORE_EMULATOR,
  PLAIN_VISITOR_COOKIE,
  VISITOR_COOKIE,
} from '@goty/shared/protocol';
import { REHEARSAL } from '@goty/shared/texts';
import { errorText, OperatorError } from '../../src/runtime/operator-error.ts';

export const HEALTH_REQUEST = `GET ${API_PREFIX}${API_PATHS.health}`;

/** In milliseconds: longer than any cold start, because the operator wants to learn how long a cold start took. */
const CHECK_TIMEOUT_MS = 60_000;

/** How many letters of a missing text are quoted: enough to tell which text it is. */
const MAX_QUOTED_LETTERS = 60;

export type HomeFacts = Awaited<ReturnType<typeof inspectHome>>;

/**
 * Sends a request such as `GET /inicio`, to this home unless a full address is named, and follows no redirect unless `init` says
 * so. Resolves with `status: 200`, headers with lower-case names, an empty line and the body, or with why there is no answer.
 */
type Ask = (request: string, init?: RequestInit) => Promise<string>;

/** What a response has to contain: a text, or a named condition. `all` are the check's responses so far, the newest last. */
export type Need =
  | string
  | readonly [what: string, isThere: (answer: string, all: readonly string[]) => boolean];

export type Probe = readonly [request: string, needs: readonly Need[], init?: RequestInit];

export function createAsk(
  origin: string,
  send: (url: URL, init: RequestInit) => Promise<Response>,
): Ask {
  return async (request, init) => {
    const [method = '', ...target] = request.split(' ');
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    try {
      const url = new URL(target.join(' '), origin);
      const answer = await send(url, { method, redirect: 'manual', signal, ...init });
      let text = `status: ${answer.status}\n`;
      for (const [name, value] of answer.headers) text += `${name}: ${value}\n`;
      text += '\n';
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        // A stream of events does not end, so its first standings are enough.
        if (text.includes('data: [')) break;
      }
      return text;
    } catch (error) {
      return `has no answer: ${errorText(error)}`;
    }
  };
}

/** Names the first fault of the newest answer. `answers` are those of one check so far, the newest last. */
export function faultOfAnswer(
  needs: readonly Need[],
  answers: readonly string[],
): string | undefined {
  const answer = answers.at(-1) ?? '';
  const [, status] = /^status: (\d+)/.exec(answer) ?? [];
  if (status === undefined) return answer;
  const missing = needs.find((need) =>
    typeof need === 'string' ? !answer.includes(need) : !need[1](answer, answers),
  );
  if (missing === undefined) return undefined;
  const text = typeof missing === 'string' && `'${missing.trim().slice(0, MAX_QUOTED_LETTERS)}'`;
  const [, mensaje = ''] = /"mensaje":("[^"]*")/.exec(answer) ?? [];
  return `is ${status} without ${text || missing[0]} ${mensaje}`.trim();
}

// The location is that of a redirect. For unknown paths, Hosting has a small page instead, which leads to inicio.
export const LEADS_TO_INICIO: Need = [
  'a way to /inicio',
  (answer) => /\nlocation: \S*\/inicio\n|url=\/inicio"/.test(answer),
];
export const REFUSED: Need = ['a refusal', (answer) => answer.startsWith('status: 4')];
export const NEW_COOKIE: Need = [
  'a cookie of its own',
  (_, all) => new Set(['', ...all.map(cookieIn)]).size > all.length,
];
export const SAME_COOKIE: Need = ['the cookie that was sent', (answer) => !cookieIn(answer)];
export const FROM_CDN_COPY: Need = [
  'a copy that the CDN kept',
  (_, all) => all.some((answer) => /\n(age: [1-9]|x-cache: .*hit)/i.test(answer)),
];
export const SAME_VOTES: Need = [
  'the votes of before',
  (answer, [first = '']) => votesOfAnswer(answer) === votesOfAnswer(first),
];

export function aged(seconds: number): Need {
  const ageOf = (answer: string) => Number(/\nage: (\d+)/.exec(answer)?.[1] ?? 0);
  return [`an age of ${seconds} s at most`, (answer) => ageOf(answer) <= seconds];
}

function votesOfAnswer(answer: string): string | undefined {
  return /"(documents|standings)":.*/s.exec(answer)?.[0];
}

function cookieIn(answer: string): string {
  return (
    new RegExp(`\nset-cookie: (?:${VISITOR_COOKIE}|${PLAIN_VISITOR_COOKIE})=([^;]+)`).exec(
      answer,
    )?.[1] ?? ''
  );
}

/** @throws OperatorError if the home does not answer, or is a rehearsal */
export async function inspectHome(origin: string, ask: Ask) {
  const start = performance.now();
  const health = await ask(HEALTH_REQUEST);
  const firstAnswerMs = Math.round(performance.now() - start);
  if (!health.startsWith('status: ')) throw new OperatorError(`${origin} ${health}.`);
  const page = await ask('GET /inicio');
  if (page.includes(`"${REHEARSAL}"`)) throw new OperatorError(`${origin} is a rehearsal.`);
  // Firebase Hosting says here which project it serves, by which a cloud home and its documents are recognized.
  const config = await ask('GET /__/firebase/init.json');
  const status = await ask(`GET ${API_PREFIX}${API_PATHS.standings}`);
  const list = await ask(`GET ${API_PREFIX}${API_PATHS.nominees}`);
  const inList = (field: string) => {
    const found = list.matchAll(new RegExp(`"${field}":"([^"]*)"`, 'g'));
    return [...new Set(found.map(([, value = '']) => value))];
  };
  const [, project] = /"projectId": *"([^"]+)"/.exec(config) ?? [];
  const [, emulator = FIRESTORE_EMULATOR] = /data-firestore="([^"]+)"/.exec(page) ?? [];
  // Projects with this prefix exist only in the emulators, so their documents are there, too.
  const isEmulated = project?.startsWith('demo-') ?? false;
  const firestore = isEmulated ? `http://${emulator}` : 'https://firestore.googleapis.com';
  return {
    origin,
    firstAnswerMs,
    isEmulated,
    project,
    isCloud:
      project !== undefined || page.includes(`data-live="${'firestore' satisfies LiveMark}"`),
    documents: project && `${firestore}/v1/projects/${project}/databases/(default)/documents`,
    /** The ids of the nominees; none if the answer is no list, which a check then reports. */
    ids: inList('id'),
    // The covers are sorted, because the list begins with another nominee each minute.
    covers: inList('url')
      .filter((url) => url !== '')
      .toSorted(),
    onePerVisitor: status.includes(`"${'onePerVisitor' satisfies keyof StatusResponse}":true`),
    needsCode: status.includes(`"${'needsCode' satisfies keyof StatusResponse}":true`),
    hasCdn: /\n(age|x-cache): /.test(list),
  };
}
