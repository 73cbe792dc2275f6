import { randomUUID } from 'node:crypto';
import { COVERS_PATH } from '@goty/shared/cover-file';
import { LIVE_MARKS } from '@goty/shared/page-html';
import {
  API_PATHS,
  API_PREFIX,
  GAMES_COLLECTION,
  IDEMPOTENCY_KEY,
  VISITOR_COOKIE,
} from '@goty/shared/protocol';
import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '../../src/http/security-headers.ts';
import type { Home, Need, Probe } from './home.ts';
import { rulesOf } from './rules.ts';

/** What to do if it is wrong, and its requests; or why there are none. */
type Check = readonly [advice: string, ...probes: Probe[]] | string;

const AGAIN = 'deploy again, or find what changes it on the way';
const DEPLOY = 'deploy, or build here what is deployed, with its variables';
const LIST = `${API_PREFIX}${API_PATHS.nominees}`;
const STANDINGS = `${API_PREFIX}${API_PATHS.standings}`;
const REFUSAL = ['content-type: application/json', 'no-store', '"ok":false'];
/** So many answers within 2 s, of which a CDN that keeps them gives most. */
const TIMES = 6;

// For unknown paths, Hosting has a small page that leads to inicio.
const LEADS_TO_INICIO: Need = [
  'a way to /inicio',
  (answer) => /\nlocation: \S*\/inicio\n|url=\/inicio"/.test(answer),
];
const OWN_COOKIE: Need = [
  'a cookie of its own',
  (_, all) => new Set(['', ...all.map(cookieIn)]).size > all.length,
];
const ANEW: Probe = [`GET ${LIST}`, ['cache-control: private, no-store', aged(0), OWN_COOKIE]];
const RETURNING = { headers: { Cookie: `${VISITOR_COOKIE}=goty-check` } };

/**
 * What a home has to do, seen from outside, by name.
 *
 * @param build a probe for each screen that was built here
 * @param address the Function's own, if the operator named it
 * @param game the nominee that gets one vote, if any
 */
export function checksOf(
  home: Home,
  build: readonly Probe[],
  address: string | undefined,
  game: string | undefined,
): Readonly<Record<string, Check>> {
  const { documents, hasCdn, isCloud, nominees, onePerVisitor } = home;
  const mark = `data-live="${isCloud ? LIVE_MARKS.firestore : LIVE_MARKS.eventStream}"`;
  const same = ['content-type: application/json', ...nominees.map(({ id }) => `"id":"${id}"`)];
  const caching = (path: string, seconds: number): Probe => [
    `GET ${path}`,
    [
      `cache-control: ${isCloud ? `public, max-age=0, s-maxage=${seconds}` : 'no-cache'}\n`,
      aged(seconds),
    ],
  ];
  const press = { headers: { [IDEMPOTENCY_KEY]: `check-${randomUUID()}` } };
  const vote: Probe = [`POST ${LIST}/${game}`, [200, 'no-store', '"ok":true'], press];
  return {
    page: [
      AGAIN,
      ['GET /inicio', [200, mark, 'cache-control: no-cache']],
      ['GET /goty', [200, mark]],
      ['GET /', [LEADS_TO_INICIO]],
      ['GET /goty-check', [LEADS_TO_INICIO]],
      ['GET /assets/gone.js', [404]],
    ],
    build:
      build.length > 0 ? [DEPLOY, ...build] : 'there is none here: `npx pnpm@12 build` makes one',
    'security headers': [AGAIN, ...headersOf(home)],
    failures: [
      AGAIN,
      [`POST ${LIST}/a%2Fb`, [404, ...REFUSAL]],
      [`PUT ${LIST}`, [405, ...REFUSAL]],
      [`GET ${API_PREFIX}/nothing`, [404, ...REFUSAL]],
    ],
    // With cookies, no cache may keep the list.
    caching: [AGAIN, ...(onePerVisitor ? [] : [caching(LIST, 60)]), caching(STANDINGS, 2)],
    CDN: hasCdn
      ? [
          'each page asks the Function: raise MAX_INSTANCES, or make the CDN obey s-maxage',
          ...Array<Probe>(TIMES).fill([`GET ${STANDINGS}`, [KEPT]]),
        ]
      : 'none answers here',
    compression: [
      'bytes cost more than docs/costs.md says: find what undoes it',
      ...['/inicio', ...(hasCdn ? [STANDINGS] : [])].map(compressed),
    ],
    cookies: onePerVisitor
      ? [
          'visitors share one vote or vote again: close the vote, and find what keeps or drops cookies',
          ANEW,
          ANEW,
          [`GET ${LIST}`, [['the cookie that was sent', (answer) => !cookieIn(answer)]], RETURNING],
        ]
      : 'everybody may vote as often as they like',
    'refused votes': [`check again while nobody votes; then ${AGAIN}`, ...refusedVotes(home)],
    'live stream': isCloud
      ? 'the standalone home has it'
      : [
          'let the proxy pass events on as they come: see docs/server.md',
          [`GET ${API_PREFIX}${API_PATHS.live}`, [200, 'data: [']],
        ],
    Firestore: !isCloud
      ? 'the cloud home has it'
      : documents
        ? ['deploy firestore.rules', ...rulesOf(documents, nominees)]
        : [
            'add a web app that is linked to Hosting',
            ['GET /__/firebase/init.json', ['"projectId":']],
          ],
    "the Function's own address":
      address === undefined
        ? 'name it with --function'
        : [
            'see REGION, and who may invoke it',
            [`GET ${address}${API_PATHS.nominees}`, [200, ...same]],
            [`GET ${address}${LIST}`, [200, ...same]],
          ],
    vote: game === undefined ? 'none without --vote' : ['see `goty results`', vote, vote],
  };
}

function headersOf({ origin, isCloud, documents, nominees }: Home): Probe[] {
  const covers = nominees.map(({ url }) => url).filter((url) => url.startsWith(COVERS_PATH));
  const all = { ...SECURITY_HEADERS, ...(origin.startsWith('https:') && HSTS) };
  const { 'Content-Security-Policy': policy, ...others } = all;
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
    ...Array.from(new Set(covers), (url): Probe => [`GET ${url}`, [200, ...needs, COVER_POLICY]]),
  ];
}

function compressed(path: string): Probe {
  return [`GET ${path}`, ['content-encoding: ']];
}

const KEPT: Need = [
  'a copy that the CDN kept',
  (_newest, all) =>
    all.length < TIMES || all.some((answer) => /\n(age: [1-9]|x-cache: .*hit)/i.test(answer)),
];

/** Says how old an answer of a cache may be at most. */
function aged(seconds: number): Need {
  const ageOf = (answer: string) => Number(/\nage: (\d+)/.exec(answer)?.[1] ?? 0);
  return [`an age of ${seconds} s at most`, (answer) => ageOf(answer) <= seconds];
}

/** Nothing counts, even if it is not refused, because no game has this id. */
function refusedVotes({ origin, documents }: Home): Probe[] {
  const vote = `POST ${LIST}/check-${randomUUID()}`;
  // Past every cache, and with the sums alone.
  const games = `${documents}/${GAMES_COLLECTION}?pageSize=1000&mask.fieldPaths=votos`;
  const sums: Probe = [
    `GET ${documents ? games : STANDINGS}`,
    [200, ['the votes of before', (answer, [first = '']) => sumsIn(answer) === sumsIn(first)]],
  ];
  return [
    sums,
    [vote, [403, ...REFUSAL], { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    [vote, [403, ...REFUSAL], { headers: { Origin: 'https://elsewhere.invalid' } }],
    [vote, [413, ...REFUSAL], { body: JSON.stringify({ a: 'x'.repeat(2_000) }) }],
    // The page of the home itself may vote. App Check has a refusal of its own.
    [vote, [['404 or 401', (answer) => /^40[14]/.test(answer)]], { headers: { Origin: origin } }],
    sums,
  ];
}

/** All that tells of votes in the standings, or in Firestore's list of the games. */
function sumsIn(answer: string): string | undefined {
  return /"(documents|standings)":.*/s.exec(answer)?.[0];
}

function cookieIn(answer: string): string {
  return new RegExp(`\nset-cookie: ${VISITOR_COOKIE}=([^;]+)`).exec(answer)?.[1] ?? '';
}
