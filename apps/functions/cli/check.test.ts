import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '../src/http/security-headers.ts';
import type { VotePolicy } from '../src/votes/vote-store.ts';
import { startCloudServer } from '../testing/cloud-server.ts';
import { firestoreHost, newProjectId, testWithFirestore } from '../testing/firestore.ts';
import { testFolder } from '../testing/folder.ts';
import { check } from './commands/check.ts';

const ORIGIN = 'https://vote.example';
const POLICY = 'Content-Security-Policy';
const TEMPLATE =
  '<html data-live="{{live}}"><meta property="og:url" content="{{origin}}/inicio"><script src="/assets/a.js">';
const UNCACHED = { 'x-cache': 'MISS', 'cache-control': 'private' };
const WRONG = /^WRONG {4}/;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Called with each request to Hosting. Returns what else the answer has than that of a sound home. */
type Break = (
  request: string,
  answer: Answer,
  server: Awaited<ReturnType<typeof startCloudServer>>,
) => Partial<Answer> | undefined | Promise<undefined>;

/** Checks a cloud home behind a stand-in for Hosting and its CDN. Resolves with what the command says. */
async function checkCloud(
  given: { policy?: VotePolicy; vote?: string; rules?: string; cover?: string } = {},
  breakIt: Break = () => undefined,
) {
  const { policy = 'unlimited', rules, cover, ...options } = given;
  const project = newProjectId();
  const others = cover === undefined ? [] : [buildNominee({ id: 'b', url: cover })];
  const nominees = [buildNominee({ id: 'a' }), ...others];
  const server = await startCloudServer({ project, policy, nominees });
  if (rules !== undefined) await setRules(project, rules);
  const mark = `firestore" data-firestore="${firestoreHost}`;
  const html = TEMPLATE.replace('{{live}}', mark).replace('{{origin}}', ORIGIN);
  const headers = { [POLICY]: `${SECURITY_HEADERS[POLICY]}; connect-src http://${firestoreHost}` };
  const files: Readonly<Record<string, Partial<Answer>>> = {
    '/inicio': { headers, body: html },
    '/goty': { headers, body: html },
    '/': { status: 302, headers: { Location: '/inicio' } },
    '/assets/gone.js': { status: 404 },
    '/covers/a.svg': { headers: { [POLICY]: COVER_POLICY, 'content-type': 'image/svg+xml' } },
    '/__/firebase/init.json': { body: JSON.stringify({ projectId: project }) },
  };

  const send = async (url: URL, init: RequestInit) => {
    if (url.href === cover)
      return new Response('<h1>Gone</h1>', { headers: { 'content-type': 'text/html' } });
    if (url.origin !== ORIGIN) return fetch(url, init);
    const { pathname } = url;
    const answer = pathname.startsWith('/api/')
      ? await askFunction(`${server.address}${pathname}`, init)
      : { status: 200, body: '<meta content="0;url=/inicio">', ...files[pathname] };
    const ofHosting = { ...SECURITY_HEADERS, ...HSTS, 'cache-control': 'no-cache' };
    const ofCdn = { 'content-encoding': 'br', 'x-cache': 'HIT' };
    const sound = { ...answer, headers: { ...ofHosting, ...ofCdn, ...answer.headers } };
    const broken = await breakIt(`${init.method} ${pathname}`, sound, server);
    const { status, headers, body } = { ...sound, ...broken };
    return new Response(body, { status, headers });
  };
  return { server, ...(await says(options, send)) };
}

async function says(
  options: { vote?: string; function?: string },
  send: (url: URL, init: RequestInit) => Promise<Response>,
) {
  const pageFolder = testFolder();
  mkdirSync(join(pageFolder, '.templates'));
  for (const name of ['inicio', 'goty']) {
    writeFileSync(join(pageFolder, '.templates', `${name}.html`), TEMPLATE);
  }
  const lines: string[] = [];
  vi.spyOn(console, 'info').mockImplementation((line) => void lines.push(line));
  const error = await check(ORIGIN, options, pageFolder, send).catch((error: Error) => error);
  const wrong = lines.filter((line) => WRONG.test(line)).map((line) => line.replace(WRONG, ''));
  return { lines, wrong, error };
}

/** A line about a document, without the address before it. */
function withoutProject(line: string): string {
  return line.replace(/ \S*\/documents\//, ' ');
}

function withoutAddress(line: string): string {
  return line.replace(/ \S*\/documents:/, ' :');
}

async function askFunction(target: string, init: RequestInit): Promise<Answer> {
  const forwarded = { 'X-Forwarded-Host': new URL(ORIGIN).host, 'X-Forwarded-Proto': 'https' };
  const headers = { ...Object.fromEntries(new Headers(init.headers)), ...forwarded };
  const response = await fetch(target, { ...init, headers });
  const body = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Sets what visitors may do with every document of an emulated project, besides reading the games. */
async function setRules(project: string, allowed: string) {
  const content = `service cloud.firestore { match /databases/{database}/documents {
    match /goty/{game} { allow read; }
    match /{path=**} { allow ${allowed}; }
  } }`;
  const rules = { files: [{ name: 'firestore.rules', content }] };
  const url = `http://${firestoreHost}/emulator/v1/projects/${project}:securityRules`;
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify({ rules }) });
  expect(status).toBe(200);
}

testWithFirestore('O17 a sound home passes each check, and no vote is counted', async () => {
  const { server, lines, error } = await checkCloud();
  expect(lines).toEqual([
    expect.stringMatching(/^The first answer took \d+ ms\.$/),
    'ok       health',
    'ok       page',
    'ok       build',
    'ok       public address',
    'ok       own votes',
    'ok       security headers',
    'ok       covers',
    'ok       failures',
    'ok       caching',
    'ok       CDN',
    'ok       compression',
    'skipped  cookies: everybody may vote as often as they like',
    'ok       refused votes',
    'ok       repeated votes',
    'skipped  live stream: the standalone home has it',
    'ok       Firestore',
    "skipped  the Function's own address: name it with --function",
    'skipped  vote: none without --vote',
  ]);
  expect(error).toBeUndefined();
  expect(await server.tally()).toEqual({ counted: 0, ballots: 0 });
  // What it did is no reason to warn of.
  expect(server.log.lines.filter((line) => !line.startsWith('Traffic'))).toEqual([]);
});

testWithFirestore('O17 a vote that is asked for is told before, and counts once', async () => {
  const { server, lines, wrong } = await checkCloud({ vote: 'a', policy: 'one-per-visitor' });
  expect(wrong).toEqual([]);
  expect(lines[1]).toBe('One vote for a is going to count.');
  expect(lines).toContain('ok       cookies');
  expect(lines.at(-1)).toBe('ok       vote');
  expect(await server.tally()).toEqual({ counted: 1, ballots: 1 });
});

testWithFirestore(
  'O17 where votes need a code, no cookie is asked for and none is cast',
  async () => {
    const { server, lines, wrong } = await checkCloud({ vote: 'a', policy: 'one-per-code' });
    expect(wrong).toEqual([]);
    expect(lines).toContain('ok       caching');
    expect(lines).toContain('skipped  cookies: a browser sends its code with each vote');
    expect(lines.at(-1)).toMatch(/^skipped {2}vote: each needs a code/);
    expect(await server.tally()).toEqual({ counted: 0, ballots: 0 });
  },
);

testWithFirestore('O17 what is wrong with pages and answers is told', async () => {
  const cover = 'https://covers.example/b.png?size=2';
  const { wrong, error } = await checkCloud({ cover }, (request, { headers, body }) => {
    const { 'X-Content-Type-Options': _gone, ...unsafe } = headers;
    const { 'content-encoding': _plain, ...large } = headers;
    const html = { 'content-type': 'text/html', 'cache-control': 'no-store' };
    const broken: Readonly<Record<string, Partial<Answer>>> = {
      'GET /goty': { headers: unsafe, body: body.replace('a.js', 'b.js') },
      'GET /inicio': { body: body.replace('content="https://vote.', 'content="https://') },
      'GET /covers/a.svg': { headers: { ...headers, [POLICY]: "default-src 'self'" } },
      'GET /goty-check': { body: '<h1>Not found</h1>' },
      'GET /assets/gone.js': { status: 200 },
      'GET /api/nothing': { headers: { ...headers, ...html }, body: '<h1>Not found</h1>' },
      'PUT /api/goty': { headers: { ...headers, 'cache-control': 'public, max-age=60' } },
      'GET /api/goty': { headers: { ...headers, age: '100' } },
      'GET /api/standings': { headers: { ...large, ...UNCACHED } },
      'GET /api/health': { status: 503 },
    };
    return request.startsWith('POST /api/goty/check-') ? { status: 200 } : broken[request];
  });
  const again = 'deploy again, or find what changes it on the way';
  expect(wrong.map((line) => line.replace(/(?<=check-)[^ ]+/, 'ID'))).toEqual([
    `health: GET /api/health is 503 without 'status: 200' "Todo funciona.": see the log, MIN_INSTANCES, and who may invoke the Function`,
    `page: GET /goty-check is 200 without a way to /inicio: ${again}`,
    `page: GET /assets/gone.js is 200 without 'status: 404': ${again}`,
    `build: GET /goty is 200 without '/inicio"><script src="/assets/a.js">': deploy, or build here what is deployed, with its variables`,
    expect.stringMatching(
      /^public address: GET \/inicio is 200 without 'property="og:url" content="https:\/\/vote.exa.* PUBLIC_URL/,
    ),
    expect.stringMatching(
      /^own votes: POST .* is 200 without 404 or 401 .*: let the proxy pass Host/,
    ),
    `security headers: GET /goty is 200 without 'x-content-type-options: nosniff': ${again}`,
    expect.stringMatching(/^covers: GET \/covers\/a.svg is 200 without 'default-src 'n/),
    expect.stringMatching(
      /^covers: GET https:\/\/covers.example\/b.png is 200 without 'content-type: image\/'/,
    ),
    expect.stringMatching(/^failures: PUT \/api\/goty is 405 without 'no-store' "Esa/),
    `failures: GET /api/nothing is 404 without 'content-type: application/json': ${again}`,
    `caching: GET /api/goty is 200 without an age of 60 s at most: ${again}`,
    `caching: GET /api/standings is 200 without 'cache-control: public, max-age=0, s-maxage=2': ${again}`,
    'CDN: GET /api/standings is 200 without a copy that the CDN kept: each page asks the Function: raise MAX_INSTANCES, or make the CDN obey s-maxage',
    "compression: GET /api/standings is 200 without 'content-encoding:': bytes cost more than docs/costs.md says: find what undoes it",
    ...["'status: 403'", "'status: 403'", "'status: 413'"].map((what) =>
      expect.stringMatching(`^refused votes: POST /api/goty/check-ID is 200 without ${what} `),
    ),
    `repeated votes: POST /api/goty/check-ID is 200 without 'status: 400' "El identificador del envío no es válido.": a vote that is sent again counts twice: let Idempotency-Key through`,
  ]);
  expect(error).toMatchObject({ message: '19 faults at https://vote.example.' });
});

const OTHERS_COOKIE = 'the cookie that was sent';
const cookie = (visitor: string) => ({ 'set-cookie': `__session=${visitor}` });
const NOT_PRIVATE = "'cache-control: private, no-store'";

testWithFirestore.for([
  ['kept by a cache', () => cookie('of-somebody'), ['a cookie of its own', OTHERS_COOKIE]],
  ['that Hosting would drop', () => ({ 'cache-control': 'no-store' }), [NOT_PRIVATE, NOT_PRIVATE]],
  ['that does not come back', () => cookie(randomUUID()), [OTHERS_COOKIE]],
] as const)('O17 a cookie %s is told', async ([, headersAt, missing]) => {
  const { wrong } = await checkCloud({ policy: 'one-per-visitor' }, (request, { headers }) =>
    request === 'GET /api/goty' ? { headers: { ...headers, ...headersAt() } } : undefined,
  );
  const told = (what: string) => `^cookies: GET /api/goty is 200 without ${what}: .*close the vote`;
  expect(wrong).toEqual(missing.map((what) => expect.stringMatching(told(what))));
});

testWithFirestore('O17 a slow start, and votes that count meanwhile, are told', async () => {
  const realNow = performance.now.bind(performance);
  let late = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + late);
  const { wrong } = await checkCloud({ vote: 'none' }, async (request, _answer, server) => {
    if (request === 'GET /api/health') late = 20_000;
    if (request.startsWith('POST /api/goty/check-')) await server.vote('a', randomUUID());
    return undefined;
  });
  expect(wrong.map(withoutProject)).toEqual([
    expect.stringMatching(
      /^health: GET \/api\/health is 200 without an answer within 10 s .*: see the log, MIN_/,
    ),
    expect.stringMatching(
      /^refused votes: GET goty is 200 without the votes of before: check again/,
    ),
    ...Array(2).fill(
      `vote: POST /api/goty/none is 404 without 'status: 200' "Ese juego no está entre los nominados.": see \`goty results\``,
    ),
  ]);
});

testWithFirestore.for([
  ['read', 'GET', ['ballots', 'ballots/vote', 'settings', 'settings/vote']],
  ['create', 'POST', ['goty']],
  ['update', 'PATCH', ['ballots/goty-check', 'settings/goty-check', 'goty/a']],
  ['delete', 'DELETE', ['ballots/goty-check', 'settings/goty-check', 'goty/a']],
] as const)('O17 rules that let visitors %s are told, and nothing is written', async (given) => {
  const [allowed, method, documents] = given;
  const { server, wrong } = await checkCloud({ rules: allowed });
  const told = (path: string) => `^Firestore: ${method} ${path} is \\d+.*: deploy firestore.rules$`;
  expect(wrong.map(withoutProject)).toEqual(
    documents.map((path) => expect.stringMatching(told(path))),
  );
  const games = await server.firestore.collection('goty').get();
  expect(games.docs.map((game) => game.data())).toEqual([
    { name: 'Juego a', url: '/covers/a.svg', votos: 0, writes: 0 },
  ]);
  expect(await server.tally()).toEqual({ counted: 0, ballots: 0 });
});

test('O17 what is no home fails each check, and cannot control the terminal', async () => {
  const page = async ({ pathname }: URL) => {
    if (pathname === '/__/firebase/init.json') throw new Error('socket hang up');
    return new Response('{"mensaje":"\u001b[31m\u0007"}');
  };
  const { wrong } = await says({ vote: 'a', function: ORIGIN }, page);
  expect(wrong.join('\n')).not.toMatch(/[^\n\P{Cc}]/u);
  const names = new Set(wrong.map((line) => line.split(':')[0]));
  expect([...names]).toEqual([
    'page',
    'build',
    'public address',
    'own votes',
    'security headers',
    'failures',
    'caching',
    'compression',
    'refused votes',
    'repeated votes',
    'live stream',
    "the Function's own address",
    'vote',
  ]);
});

test('O17 transactions of anybody are told', async () => {
  const send = async ({ pathname, host }: URL) => {
    const status = /:(beginTransaction|batchGet)$/.test(pathname) ? 200 : 403;
    if (host === 'firestore.googleapis.com') return new Response('{}', { status });
    return new Response(JSON.stringify({ projectId: 'sound' }));
  };
  const { wrong } = await says({}, send);
  expect(wrong.map(withoutAddress).filter((line) => line.includes('POST :'))).toEqual([
    'Firestore: POST :beginTransaction is 200 without a refusal: deploy firestore.rules',
    'Firestore: POST :batchGet is 200 without a refusal: deploy firestore.rules',
  ]);
});

test('O17 where nothing answers, that is one line', async () => {
  const { lines, error } = await says({}, async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  });
  expect(lines).toEqual([]);
  expect(error).toMatchObject({
    name: 'OperatorError',
    message: 'https://vote.example has no answer: connect ECONNREFUSED.',
  });
});
