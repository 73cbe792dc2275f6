import { randomUUID } from 'node:crypto';
import { COVERS_PATH } from '@goty/shared/nominee';
import type { LiveMark } from '@goty/shared/page-html';
import {
  API_PATHS,
  API_PREFIX,
  GAMES_COLLECTION as GAMES,
  IDEMPOTENCY_KEY,
  isLoopback,
  PAGE_TIMEOUT_MS,
  PLAIN_VISITOR_COOKIE,
  VISITOR_COOKIE,
} from '@goty/shared/protocol';
import { CHECK_ID_PREFIX } from '../../src/http/failures.ts';
import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '../../src/http/security-headers.ts';
import {
  aged,
  FROM_CDN_COPY,
  HEALTH_REQUEST,
  type HomeFacts,
  LEADS_TO_INICIO,
  NEW_COOKIE,
  type Need,
  type Probe,
  REFUSED,
  SAME_COOKIE,
  SAME_VOTES,
} from './probes.ts';

/** What the operator should do if a check fails, and the requests of the check; or a text that says why the check is skipped. */
type Check = readonly [advice: string, ...probes: Probe[]] | string;

const AGAIN = 'deploy again, or find what changes it on the way';
const LIST = `${API_PREFIX}${API_PATHS.nominees}`;
const STANDINGS = `${API_PREFIX}${API_PATHS.standings}`;
const OK = 'status: 200';
const REFUSAL = ['content-type: application/json', 'no-store', '"ok":false'];

/** `build` probes the built screens, `address` is the Function's own, if it is named, and `game`, if given, gets one vote. */
export function checksOf(
  home: HomeFacts,
  build: readonly Probe[],
  address: string | undefined,
  game: string | undefined,
): Readonly<Record<string, Check>> {
  const { firstAnswerMs, ids } = home;
  const same = [OK, 'content-type: application/json', ...ids.map((id) => `"id":"${id}"`)];
  const soon: Need = ['an answer within 10 s', () => firstAnswerMs < PAGE_TIMEOUT_MS];
  return {
    health: [
      'see the log, MIN_INSTANCES, and who may invoke the Function',
      [HEALTH_REQUEST, [OK, soon]],
    ],
    ...pageChecks(home, build),
    ...addressChecks(home),
    ...headerChecks(home),
    failures: [
      AGAIN,
      [`POST ${LIST}/a%2Fb`, ['status: 404', ...REFUSAL]],
      [`PUT ${LIST}`, ['status: 405', ...REFUSAL]],
      [`GET ${API_PREFIX}/nothing`, ['status: 404', ...REFUSAL]],
    ],
    ...cacheChecks(home),
    'refused votes': [`check again while nobody votes; then ${AGAIN}`, ...refusedVotes(home)],
    'repeated votes': repeatedVotes(),
    ...liveChecks(home),
    "the Function's own address":
      address === undefined
        ? 'name it with --function'
        : [
            'see REGION, and who may invoke it',
            ...[API_PATHS.nominees, LIST].map((path): Probe => [`GET ${address}${path}`, same]),
          ],
    vote: voteCheck(home, game),
  };
}

function voteCheck({ needsCode }: HomeFacts, game: string | undefined): Check {
  if (game === undefined) return 'none without --vote';
  if (needsCode) return 'each needs a code: vote with one of `goty codes` by hand';
  const press = { headers: { [IDEMPOTENCY_KEY]: `check-${randomUUID()}` } };
  const vote: Probe = [`POST ${LIST}/${game}`, [OK, 'no-store', '"ok":true'], press];
  return ['see `goty results`', vote, vote];
}

function pageChecks({ isCloud }: HomeFacts, build: readonly Probe[]): Record<string, Check> {
  const mark = `data-live="${(isCloud ? 'firestore' : 'event-stream') satisfies LiveMark}"`;
  return {
    page: [
      AGAIN,
      ['GET /inicio', [OK, mark, 'cache-control: no-cache']],
      ['GET /goty', [OK, mark]],
      ['GET /', [LEADS_TO_INICIO]],
      ['GET /goty-check', [LEADS_TO_INICIO]],
      ['GET /assets/gone.js', ['status: 404']],
    ],
    build:
      build.length > 0
        ? ['deploy, or build here what is deployed, with its variables', ...build]
        : 'there is none here: `npx -y pnpm@12 build` makes one',
  };
}

/** The value of a cookie in the form of ours, which no visitor has, so that the check takes nobody's vote. */
const NO_VISITOR = `goty-${'0'.repeat(32)}`;

function cacheChecks(home: HomeFacts): Record<string, Check> {
  const { hasCdn, isCloud } = home;
  const cookies = cookieCheck(home);
  const caching = (path: string, seconds: number, told = ''): Probe => {
    const control = isCloud ? `public, max-age=0, s-maxage=${told}` : 'no-cache\n';
    return [`GET ${path}`, [`cache-control: ${control}`, aged(seconds)]];
  };
  return {
    // With cookies, no cache may keep the list, so only the check of cookies looks at the list then.
    caching: [
      AGAIN,
      ...(typeof cookies === 'string' ? [caching(LIST, 60)] : []),
      caching(STANDINGS, 2, '2\n'),
    ],
    CDN: hasCdn
      ? [
          'each page asks the Function: raise MAX_INSTANCES, or make the CDN obey s-maxage',
          // All of these are sent within 2 s, for which a CDN keeps the standings, so it answers most of them from its copy.
          ...Array<Probe>(5).fill([`GET ${STANDINGS}`, []]),
          [`GET ${STANDINGS}`, [FROM_CDN_COPY]],
        ]
      : 'none answers here',
    compression: [
      'bytes cost more than docs/costs.md says: find what undoes it',
      ['GET /inicio', ['content-encoding: ']],
      ...(hasCdn ? [[`GET ${STANDINGS}`, ['content-encoding: ']] as const] : []),
    ],
    cookies,
  };
}

function cookieCheck({ needsCode, onePerVisitor }: HomeFacts): Check {
  if (needsCode) return 'a browser sends its code with each vote';
  if (!onePerVisitor) return 'everybody may vote as often as they like';
  const anew: Probe = [`GET ${LIST}`, ['cache-control: private, no-store', aged(0), NEW_COOKIE]];
  const cookies = [VISITOR_COOKIE, PLAIN_VISITOR_COOKIE].map((name) => `${name}=${NO_VISITOR}`);
  const returning = { headers: { Cookie: cookies.join('; ') } };
  return [
    'visitors share one vote or vote again: close the vote, and find what keeps or drops cookies',
    anew,
    anew,
    [`GET ${LIST}`, [SAME_COOKIE], returning],
  ];
}

function liveChecks(home: HomeFacts): Record<string, Check> {
  if (!home.isCloud) {
    return {
      'live stream': [
        'let the proxy pass events on as they come: see docs/server.md',
        [`GET ${API_PREFIX}${API_PATHS.live}`, [OK, 'data: [']],
      ],
      Firestore: 'the cloud home has it',
    };
  }
  const { documents } = home;
  const unlinked: Probe = ['GET /__/firebase/init.json', ['"projectId":']];
  return {
    'live stream': 'the standalone home has it',
    Firestore: documents
      ? ['deploy firestore.rules', ...rulesOf(documents, home)]
      : ['add a web app that is linked to Hosting', unlinked],
  };
}

function addressChecks({ origin }: HomeFacts): Record<string, Check> {
  const isLocal = isLoopback(new URL(origin).hostname);
  // Both refusals come only after the origin was let in: no game has the id, or with App Check the token is missing.
  const isLetIn: Need = ['404 or 401', (answer) => /^status: 40[14]/.test(answer)];
  return {
    'public address': isLocal
      ? 'set PUBLIC_URL, and check that'
      : [
          'set PUBLIC_URL, on Firebase VITE_ORIGIN, to where visitors open it',
          ['GET /inicio', [`property="og:url" content="${origin}/`]],
        ],
    'own votes': [
      'let the proxy pass Host on, with its port',
      [noGame(), [isLetIn], { headers: { Origin: origin } }],
    ],
  };
}

function headerChecks({ covers, documents, isCloud, origin }: HomeFacts): Record<string, Check> {
  const all = { ...SECURITY_HEADERS, ...(origin.startsWith('https:') && HSTS) };
  const { 'Content-Security-Policy': policy, ...others } = all;
  const needs = Object.entries(others).map(([name, value]) => `\n${name.toLowerCase()}: ${value}`);
  // Each part of the policy is looked for by itself, because the policy of Hosting allows more connections.
  const parts = policy.split('; ');
  // Pages of the operator's choice may frame inicio, so this part of its policy is not checked.
  const ofInicio = parts.filter((part) => !part.startsWith('frame-ancestors'));
  const firestore = isCloud && documents ? [new URL(documents).origin] : [];
  return {
    'security headers': [
      AGAIN,
      ['GET /inicio', [OK, ...needs, ...ofInicio, ...firestore]],
      ['GET /goty', [OK, ...needs, ...parts]],
      [`GET ${LIST}`, [OK, ...needs, ...parts]],
    ],
    covers:
      covers.length === 0
        ? 'no nominee has one here'
        : [
            'look into the folder COVERS, or deploy Hosting again; elsewhere, name an image',
            ...covers.map((url): Probe => {
              const own = url.startsWith(COVERS_PATH) ? [...needs, COVER_POLICY] : [];
              return [`GET ${url}`, [OK, 'content-type: image/', ...own], { redirect: 'follow' }];
            }),
          ],
  };
}

/** A vote that does not count, even if it is not refused, because no game has this id. */
const noGame = () => `POST ${LIST}/${CHECK_ID_PREFIX}${randomUUID()}`;

function repeatedVotes(): Check {
  const badKey = { headers: { [IDEMPOTENCY_KEY]: '?' } };
  return [
    'a vote that is sent again counts twice: let Idempotency-Key through',
    [noGame(), ['status: 400', ...REFUSAL], badKey],
  ];
}

function refusedVotes({ documents }: HomeFacts): Probe[] {
  const vote = noGame();
  // Firestore's own list comes past every cache, so it would show a counted vote. The field mask asks for the sums alone.
  const games = `${documents}/${GAMES}?pageSize=1000&mask.fieldPaths=votos`;
  const sums: Probe = [`GET ${documents ? games : STANDINGS}`, [OK, SAME_VOTES]];
  return [
    sums,
    [vote, ['status: 403', ...REFUSAL], { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    [vote, ['status: 403', ...REFUSAL], { headers: { Origin: 'https://elsewhere.invalid' } }],
    [vote, ['status: 413', ...REFUSAL], { body: JSON.stringify({ a: 'x'.repeat(2_000) }) }],
    sums,
  ];
}

/** The rules have to refuse all but the first probe. Even if they allow the others, these are made so that nothing is written. */
function rulesOf(documents: string, { ids, isEmulated }: HomeFacts): Probe[] {
  const unchanged = 'updateMask.fieldPaths=none&currentDocument.exists=true';
  const refused = [
    ...['ballots', 'settings'].flatMap((name) => [
      `GET ${name}?pageSize=1`,
      `GET ${name}/vote`,
      `PATCH ${name}/goty-check?${unchanged}`,
      `DELETE ${name}/goty-check?currentDocument.exists=true`,
    ]),
    ...ids
      .slice(0, 1)
      .flatMap((id) => [
        `POST ${GAMES}?documentId=${id}`,
        `PATCH ${GAMES}/${id}?${unchanged}`,
        `DELETE ${GAMES}/${id}?currentDocument.updateTime=1970-01-01T00:00:01Z`,
      ]),
  ];
  const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const game = `${documents.replace(/^.*\/v1\//, '')}/${GAMES}/${ids[0]}`;
  const transactions = {
    beginTransaction: {},
    batchGet: { documents: [game], newTransaction: {} },
  };
  const at = (request: string) => request.replace(' ', ` ${documents}/`);
  return [
    [at(`GET ${GAMES}?pageSize=1`), ['status: 200']],
    ...refused.map(
      (request): Probe => [at(request), ['status: 403'], /^P/.test(request) ? json : {}],
    ),
    // In a transaction, a stranger could hold up every vote. The emulator allows transactions, so it is not asked.
    ...Object.entries(isEmulated ? {} : transactions).map(([method, body]): Probe => {
      return [`POST ${documents}:${method}`, [REFUSED], { ...json, body: JSON.stringify(body) }];
    }),
  ];
}
