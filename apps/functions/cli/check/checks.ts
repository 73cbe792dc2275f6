import { randomUUID } from 'node:crypto';
import { LIVE_MARKS } from '@goty/shared/page-html';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import type { Home } from './home.ts';
import {
  ageOf,
  cdn,
  cookies,
  firestoreOf,
  headersOf,
  LIST,
  type Need,
  type Probe,
  REFUSAL,
  refusedVotes,
  STANDINGS,
} from './probes.ts';

/** A thing to check, what to do if it is wrong, and its requests, or why there are none. */
export type Check = readonly [name: string, advice: string, probes: readonly Probe[] | string];

const AGAIN = 'deploy again, or find what changes it on the way';
const CLOSE =
  'visitors share one vote or vote again: close the vote, and find what keeps or drops cookies';

/**
 * What a home has to do, seen from outside.
 *
 * @param built the static parts of each screen that was built here, by path
 * @param address the Function's own, if the operator named it
 * @param game the nominee that gets one vote, if any
 */
export function checksOf(
  home: Home,
  built: readonly (readonly [path: string, parts: readonly string[]])[],
  address: string | undefined,
  game: string | undefined,
): Check[] {
  const { hasCdn, isCloud, nominees, onePerVisitor } = home;
  const mark = `data-live="${isCloud ? LIVE_MARKS.firestore : LIVE_MARKS.eventStream}"`;
  // For unknown paths, Hosting has a small page that leads to inicio.
  const leads: Need = [
    'a way to /inicio',
    (answer) => /\nlocation: \S*\/inicio\n|url=\/inicio"/.test(answer),
  ];
  const same = ['content-type: application/json', ...nominees.map(({ id }) => `"id":"${id}"`)];
  const caching = (seconds: number): Need[] => [
    `cache-control: ${isCloud ? `public, max-age=0, s-maxage=${seconds}` : 'no-cache'}\n`,
    [`an age of ${seconds} s at most`, (answer) => ageOf(answer) <= seconds],
  ];
  const press = { headers: { [IDEMPOTENCY_KEY]: `check-${randomUUID()}` } };
  const vote: Probe = [`POST ${LIST}/${game}`, [200, 'no-store', '"ok":true'], press];
  return [
    [
      'page',
      AGAIN,
      [
        ['GET /inicio', [200, mark, 'cache-control: no-cache']],
        ['GET /goty', [200, mark]],
        ['GET /', [leads]],
        ['GET /goty-check', [leads]],
        ['GET /assets/gone.js', [404]],
      ],
    ],
    [
      'build',
      'deploy, or build here what is deployed, with its variables',
      built.length === 0
        ? 'there is none here: `npx pnpm@12 build` makes one'
        : built.map(([path, parts]) => [`GET ${path}`, parts]),
    ],
    ['security headers', AGAIN, headersOf(home)],
    [
      'failures',
      AGAIN,
      [
        [`POST ${LIST}/a%2Fb`, [404, ...REFUSAL]],
        [`PUT ${LIST}`, [405, ...REFUSAL]],
        [`GET ${API_PREFIX}/nothing`, [404, ...REFUSAL]],
      ],
    ],
    [
      'caching',
      AGAIN,
      [
        // With cookies, no cache may keep the list.
        ...(onePerVisitor ? [] : [[`GET ${LIST}`, caching(60)] as const]),
        [`GET ${STANDINGS}`, caching(2)],
      ],
    ],
    [
      'CDN',
      'each page asks the Function: raise MAX_INSTANCES, or make the CDN obey s-maxage',
      hasCdn ? cdn() : 'none answers here',
    ],
    [
      'compression',
      'bytes cost more than docs/costs.md says: find what undoes it',
      ['/inicio', ...(hasCdn ? [STANDINGS] : [])].map((path) => [
        `GET ${path}`,
        ['content-encoding: '],
      ]),
    ],
    ['cookies', CLOSE, onePerVisitor ? cookies() : 'everybody may vote as often as they like'],
    ['refused votes', `check again while nobody votes; then ${AGAIN}`, refusedVotes(home)],
    [
      'live stream',
      'let the proxy pass events on as they come: see docs/server.md',
      isCloud
        ? 'the standalone home has it'
        : [[`GET ${API_PREFIX}${API_PATHS.live}`, [200, 'data: [']]],
    ],
    [
      'Firestore',
      home.documents ? 'deploy firestore.rules' : 'add a web app that is linked to Hosting',
      isCloud ? firestoreOf(home) : 'the cloud home has it',
    ],
    [
      "the Function's own address",
      'see REGION, and who may invoke it',
      address === undefined
        ? 'name it with --function'
        : [API_PATHS.nominees, LIST].map((path) => [`GET ${address}${path}`, [200, ...same]]),
    ],
    ['vote', 'see `goty results`', game === undefined ? 'none without --vote' : [vote, vote]],
  ];
}
