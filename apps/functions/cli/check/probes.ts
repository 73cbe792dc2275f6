import { randomUUID } from 'node:crypto';
import { COVERS_PATH } from '@goty/shared/cover-file';
import { API_PATHS, API_PREFIX, GAMES_COLLECTION, VISITOR_COOKIE } from '@goty/shared/protocol';
import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '../../src/http/security-headers.ts';
import type { Home } from './home.ts';

/** What an answer needs: a status, a text (see home.ts), or something else, and whether it is there. */
export type Need = number | string | readonly [what: string, isThere: (answer: string) => boolean];

/** A request, and what its answer needs. */
export type Probe = readonly [request: string, needs: readonly Need[], init?: RequestInit];

export const LIST = `${API_PREFIX}${API_PATHS.nominees}`;
export const STANDINGS = `${API_PREFIX}${API_PATHS.standings}`;
export const REFUSAL = ['content-type: application/json', 'no-store', '"ok":false'];
const POLICY = 'Content-Security-Policy';
/** So many answers within 2 s, of which a CDN that keeps them gives most. */
const TIMES = 6;

export function headersOf({ origin, isCloud, documents, nominees }: Home): Probe[] {
  const covers = nominees.map(({ url }) => url).filter((url) => url.startsWith(COVERS_PATH));
  const all = { ...SECURITY_HEADERS, ...(origin.startsWith('https:') && HSTS) };
  const { [POLICY]: policy, ...others } = all;
  const needs = Object.entries(others).map(([name, value]) => `\n${name.toLowerCase()}: ${value}`);
  // The policy of Hosting allows more connections.
  const parts = policy.split('; ');
  // Pages of the operator's choice may frame inicio.
  const ofInicio = parts.filter((part) => !part.startsWith('frame-ancestors'));
  const firestore = isCloud && documents ? [new URL(documents).origin] : [];
  return [
    ['GET /inicio', [200, ...needs, ...ofInicio, ...firestore]],
    ['GET /goty', [200, ...needs, ...parts]],
    [`GET ${LIST}`, [200, ...needs, ...parts]],
    ...[...new Set(covers)].map(
      (cover) => [`GET ${cover}`, [200, ...needs, COVER_POLICY]] as const,
    ),
  ];
}

export function cdn(): Probe[] {
  let hits = 0;
  return Array.from({ length: TIMES }, (_, time) => [
    `GET ${STANDINGS}`,
    [
      [
        'a copy that the CDN kept',
        (answer) => {
          if (ageOf(answer) > 0 || /\nx-cache: .*hit/i.test(answer)) hits += 1;
          return hits > 0 || time < TIMES - 1;
        },
      ],
    ],
  ]);
}

export function cookies(): Probe[] {
  const cookieIn = (answer: string) => cookie.exec(answer)?.[1];
  const cookie = new RegExp(`\nset-cookie: ${VISITOR_COOKIE}=([^;]+)`);
  const seen = new Set<string | undefined>([undefined]);
  const list = `GET ${LIST}`;
  const isNew = (answer: string) =>
    ageOf(answer) === 0 && seen.size < seen.add(cookieIn(answer)).size;
  const needs: Need[] = ['cache-control: private, no-store', ['a cookie of its own', isNew]];
  const known = { headers: { Cookie: `${VISITOR_COOKIE}=goty-check` } };
  return [
    [list, needs],
    [list, needs],
    [list, [['the cookie that was sent', (answer) => cookieIn(answer) === undefined]], known],
  ];
}

/** Nothing counts, even if it is not refused, because no game has this id. */
export function refusedVotes({ origin, documents }: Home): Probe[] {
  const vote = `POST ${LIST}/check-${randomUUID()}`;
  // Past every cache, and with the sums alone.
  const games = `${documents}/${GAMES_COLLECTION}?pageSize=1000&mask.fieldPaths=votos`;
  const sums = new Set<string>();
  const count: Probe = [
    `GET ${documents ? games : STANDINGS}`,
    [200, ['the votes of before', (answer) => sums.add(sumsIn(answer)).size === 1]],
  ];
  return [
    count,
    [vote, [403, ...REFUSAL], { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    [vote, [403, ...REFUSAL], { headers: { Origin: 'https://elsewhere.invalid' } }],
    [vote, [413, ...REFUSAL], { body: JSON.stringify({ a: 'x'.repeat(2_000) }) }],
    // The page of the home itself may vote. App Check has a refusal of its own.
    [vote, [['404 or 401', (answer) => /^40[14]/.test(answer)]], { headers: { Origin: origin } }],
    count,
  ];
}

/**
 * The rules have to refuse all but the first. If they allow the others, nothing is written all the same: the
 * document exists already, nothing of it would change, or a condition of the request is not met.
 */
export function firestoreOf({ documents, nominees: [nominee] }: Home): Probe[] {
  if (documents === undefined) return [['GET /__/firebase/init.json', ['"projectId":']]];
  const refused = (request: string): Probe => {
    const [method, path] = request.split(' ');
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return [`${method} ${documents}/${path}`, [403], /^P/.test(request) ? json : {}];
  };
  const noChange = 'updateMask.fieldPaths=none&currentDocument.exists=true';
  const game = `${GAMES_COLLECTION}/${nominee?.id}`;
  return [
    [`GET ${documents}/${GAMES_COLLECTION}?pageSize=1`, [200]],
    ...['ballots', 'settings'].flatMap((collection) => [
      refused(`GET ${collection}?pageSize=1`),
      refused(`GET ${collection}/vote`),
      refused(`PATCH ${collection}/goty-check?${noChange}`),
      refused(`DELETE ${collection}/goty-check?currentDocument.exists=true`),
    ]),
    ...(nominee
      ? [
          refused(`POST ${GAMES_COLLECTION}?documentId=${nominee.id}`),
          refused(`PATCH ${game}?${noChange}`),
          refused(`DELETE ${game}?currentDocument.updateTime=1970-01-01T00:00:01Z`),
        ]
      : []),
  ];
}

/** How many seconds a cache has kept it. */
export function ageOf(answer: string): number {
  return Number(/\nage: (\d+)/.exec(answer)?.[1] ?? 0);
}

/** The numbers of the games in an answer of Firestore, or the standings. */
function sumsIn(answer: string): string {
  const [, standings] = /"standings":(.*)/.exec(answer) ?? [];
  return standings ?? (answer.match(/"integerValue": *"\d+"/g) ?? []).join();
}
