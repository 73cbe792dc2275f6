import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nominee } from '@goty/shared/nominee';
import { COVER_SLOT, slot } from '@goty/shared/page-html';
import { resultTexts } from '@goty/shared/result-texts';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts, metadata, PREVIEW_TITLE } from '@goty/shared/texts';
import type { VoteTimes } from '@goty/shared/vote-times';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock, patientClock, settled } from '../../testing/clock.ts';
import { testFolder } from '../../testing/folder.ts';
import { buildStoredGame } from '../../testing/stored-game.ts';
import type { Clock } from '../runtime/clock.ts';
import { tallyOf } from '../votes/ballot.ts';
import type { VoteStore } from '../votes/vote-store.ts';

const KEPT = 'public, max-age=';
const POLICY = 'content-security-policy';
const NO_TIMES = {
  opensAt: undefined,
  closesAt: undefined,
  frozenAt: undefined,
  endsAtClose: false,
};
const AS_BROWSER = { headers: { Accept: 'text/html,*/*;q=0.8' } };

/** Serves a small built page for the running test. */
async function startPage(
  list: () => Promise<readonly Nominee[]> = async () => [],
  embedOrigins: readonly string[] = [],
  clock: Clock = patientClock,
  wrap?: (store: VoteStore) => VoteStore,
) {
  const folder = testFolder();
  const html = `<!doctype html><html lang="es" data-live="{{live}}" data-color="{{eventColor}}">
    <title>{{site}}</title><meta name="{{preview}}" content="{{previewText}}"><meta content="{{origin}}/social.jpg"><body class="{{rehearsal}}">`;
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  for (const name of ['assets', '.templates']) mkdirSync(join(folder, name));
  write('.templates/inicio.html', html.padEnd(2_000));
  write('.templates/goty.html', `${html}${slot(COVER_SLOT)}<h1>goty</h1>`);
  write('goty.html', 'for Hosting');
  write('index.html', 'finds the screen');
  write('assets/main-abc.js', 'export {};'.padEnd(2_000));
  write('trophy.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const coversFolder = testFolder();
  for (const name of ['a.svg', 'b c.avif', 'page.html']) {
    writeFileSync(join(coversFolder, name), '<svg onload="alert(1)"/>');
  }
  symlinkSync(join(folder, 'trophy.svg'), join(coversFolder, 'link.svg'));
  const publicOrigin = (opened: string) => opened.replace('127.0.0.1', 'vote.example');
  const page = { folder, coversFolder, embedOrigins, publicOrigin };
  const games = async () => (await list()).map((nominee) => ({ ...nominee, votos: 0, writes: 0 }));
  const withGames = (store: VoteStore) => ({ ...store, games });
  const server = await startApiServer({ page, clock, wrap: wrap ?? withGames });
  const get = (path: string, init?: RequestInit) => fetch(`${server.address}${path}`, init);
  const getText = async (path: string) => (await get(path)).text();
  return { ...server, get, getText };
}

test('P8 a browser gets screens and files with their types, and may keep hashed files', async () => {
  const { get } = await startPage();
  for (const [path, ...expected] of [
    ['/inicio', 'text/html; charset=utf-8', 'no-cache'],
    ['/goty', 'text/html; charset=utf-8', 'no-cache'],
    // Redirected to inicio, although it has a dot.
    ['/v1.0', 'text/html; charset=utf-8', 'no-cache'],
    ['/assets/main-abc.js', 'text/javascript; charset=utf-8', `${KEPT}31536000, immutable`],
    ['/trophy.svg', 'image/svg+xml', `${KEPT}3600`],
  ]) {
    const { headers, status } = await get(`${path}`, AS_BROWSER);
    const got = ['content-type', 'cache-control'].map((name) => headers.get(name));
    expect([path, status, ...got]).toEqual([path, 200, ...expected]);
  }
});

test('W2 P8 every other path redirects to a screen, and that is not cached', async () => {
  const { get } = await startPage();
  const others = ['/', '/anything/else', '/index.html', '/.templates/goty.html', '/goty%2Ehtml'];
  others.push('/got%79.%68tml', '/assets', '//x.example/goty');
  for (const path of [...others, '/goty/', '/GOTY']) {
    const { headers, status } = await get(path, { ...AS_BROWSER, redirect: 'manual' });
    const location = others.includes(path) ? '/inicio' : '/goty';
    expect([path, status, headers.get('location')]).toEqual([path, 302, location]);
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  // What is behind '%23' was a fragment, which only the page can read.
  const mangled = await get('/inicio%23mesa=code', AS_BROWSER);
  expect(mangled.headers.get('cache-control')).toBe('no-cache');
  expect(await mangled.text()).toBe('finds the screen');
});

test('N6 W24 W80 W96 the HTML of goty has every slot filled, and preloads the first cover, as the list has it in that minute, if it can be read', async () => {
  let url = '';
  let now = 0;
  const list = async () => {
    if (url === '') throw new Error('no disk');
    return [buildNominee({ url }), buildNominee({ id: 'b', url: '/b' })];
  };
  const clock = { ...patientClock, now: () => now };
  const { address, getText } = await startPage(list, [], clock);
  const html = await getText('/goty');
  expect([html.includes('<h1>goty</h1>'), html.includes('preload')]).toEqual([true, false]);
  const shared = address.replace('127.0.0.1', 'vote.example');
  expect(html).toContain(`content="${shared}/social.jpg"`);
  expect(html).not.toMatch(/\{\{|\}\}/);
  url = '/a';
  expect(await getText('/goty')).toContain('as="image" href="/a"');
  now = 60_000;
  expect(await getText('/goty')).toContain('as="image" href="/b"');
  expect(await getText('/inicio')).not.toContain('preload');
});

test('W150 W146 V10 the preview of a link tells the result once it is shown and final, made once, and not a byte of it before', async () => {
  const clock = createTestClock();
  const names = ['Hades "II" & <b>', 'Gris', 'Blue Prince', 'Split Fiction'];
  let votos = [1_234, 5, 0, 0];
  let times: Partial<VoteTimes> = {};
  let changes = 0;
  const change = async (next: typeof times, sums = votos) => {
    [times, votos, changes] = [next, sums, changes + 1];
    await clock.advance(1_000);
  };
  const { get, calls } = await startPage(undefined, [], clock, (store) => ({
    ...store,
    state: async () => ({ ...(await store.state()), times: { ...NO_TIMES, ...times }, changes }),
    games: async () =>
      votos.map((votes, at) =>
        buildStoredGame({ id: `g${at}`, name: names[at] ?? '', votos: votes }),
      ),
    tally: async () => tallyOf(votos.map((votes) => buildStoredGame({ votos: votes }))),
  }));
  const read = async () => {
    const response = await settled(get('/inicio'), clock);
    const html = await settled(response.text(), clock);
    const [, preview, text] = /<meta name="([^"]*)" content="([^"]*)">/.exec(html) ?? [];
    return { html, preview, text, etag: response.headers.get('etag') };
  };
  await clock.advance(1_000);
  const before = await read();
  expect(before).toMatchObject({ preview: PREVIEW_TITLE, text: metadata.description });
  const closesAt = 10_000;
  for (const hidden of [{ closesAt }, { closesAt, frozenAt: 5_000 }]) {
    await change(hidden);
    expect(await read()).toEqual(before);
  }
  await clock.advance(closesAt);
  // Held, however long ago the close was.
  expect(await read()).toEqual(before);
  const justNow = clock.now();
  await change({ closesAt: justNow });
  // Votes from before the close may be on their way.
  expect(await read()).toEqual(before);
  // The stages tell the places below the first.
  await clock.advance(14_000);
  expect(await read()).toEqual(before);
  await clock.advance(1_000);
  const result = await read();
  expect(result).toMatchObject({
    preview: 'Hades &quot;II&quot; &amp; &lt;b> es el juego del año',
    text: 'Con 1.234 votos de 1.239.',
  });
  expect(result.etag).not.toBe(before.etag);
  const { games } = calls();
  expect(await read()).toEqual(result);
  expect(calls().games).toBe(games);
  // A void after the reveal, and a vote that is opened again.
  for (const [sums, preview, text] of [
    [
      [1, 1, 1, 0],
      resultTexts.tiesClosed,
      'Con 1 voto cada uno: Hades &quot;II&quot; &amp; &lt;b>, Gris y Blue Prince.',
    ],
    [[7, 7, 7, 7], resultTexts.tiesClosed, 'Con 7 votos cada uno: 4 juegos.'],
    [[0, 0, 0, 0], PREVIEW_TITLE, metadata.description],
  ] as const) {
    await change({ closesAt: justNow }, [...sums]);
    expect(await read()).toMatchObject({ preview, text });
  }
  await change({}, [1_234, 5, 0, 0]);
  expect(await read()).toEqual(before);
});

test.each([
  ['P8', 404, apiTexts.notFound, '/assets/gone.js', {}],
  ['P8', 404, apiTexts.notFound, '/covers/gone.svg', {}],
  ['P8', 416, apiTexts.badRequest, '/assets/main-abc.js', { headers: { Range: 'bytes=9999-' } }],
  ['P8 P17', 412, apiTexts.badRequest, '/assets/main-abc.js', { headers: { 'If-Match': '"x"' } }],
  ['B5 P17', 405, apiTexts.methodNotAllowed, '/goty', { method: 'POST' }],
])('%s the refusal %d "%s" of %s is JSON, and not cached', async (...given) => {
  const [, status, mensaje, path, init] = given;
  const { close, get, log } = await startPage();
  const response = await get(path, init);
  expect([response.status, await response.json()]).toEqual([status, refusal(mensaje)]);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  if (status === 405) expect(response.headers.get('allow')).toBe('GET, HEAD');
  // It is no traffic of the vote.
  close();
  expect(log.lines).toEqual([]);
});

test('P14 a cover is served as an image that can do nothing, and nothing else is served', async () => {
  const { get } = await startPage();
  for (const [name, type] of Object.entries({ 'a.svg': 'svg+xml', 'b%20c.avif': 'avif' })) {
    const { headers, status } = await get(`/covers/${name}`);
    expect([status, headers.get('content-type')]).toEqual([200, `image/${type}`]);
    expect(headers.get(POLICY)).toMatch(/^default-src 'none'; .*; sandbox$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
  }
  for (const name of [
    'page.html',
    'link.svg',
    '',
    'a.svg/',
    'a.svg%2f',
    '..%2ftrophy.svg',
    '%zz',
  ]) {
    const { headers, status } = await get(`/covers/${name}`, AS_BROWSER);
    expect([name, status]).toEqual([name, 404]);
    expect(headers.get('cache-control')).toBe('private, no-store');
  }
});

test('W17 P18 every response has a strict policy, and only inicio may be framed, by the origins that the operator has named', async () => {
  const origins = ['https://a.example', 'https://b.example'];
  const open = await startPage(undefined, origins);
  const closed = await startPage();
  for (const [page, path, ancestors] of [
    [open, '/inicio', origins.join(' ')],
    ...['/goty', '/trophy.svg', '/assets/gone.js'].map((path) => [open, path, "'none'"] as const),
    [closed, '/inicio', "'none'"],
  ] as const) {
    const policy = (await page.get(path)).headers.get(POLICY) ?? '';
    expect(policy).toMatch(/^default-src 'self'; /);
    expect(policy).not.toContain('unsafe');
    expect([path, policy.split('frame-ancestors ')[1]]).toEqual([path, ancestors]);
  }
});
