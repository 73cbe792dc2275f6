import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nominee } from '@goty/shared/nominee';
import { COVER_SLOT, slot } from '@goty/shared/page-html';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';
import { testFolder } from '../../testing/folder.ts';
import type { Clock } from '../runtime/clock.ts';

const KEPT = 'public, max-age=';
const POLICY = 'content-security-policy';
const AS_BROWSER = { headers: { Accept: 'text/html,*/*;q=0.8' } };

/** Serves a small built page for the running test. */
async function startPage(
  list: () => Promise<readonly Nominee[]> = async () => [],
  embedOrigins: readonly string[] = [],
  clock: Clock = patientClock,
) {
  const folder = testFolder();
  const html = `<!doctype html><html lang="es" data-live="{{live}}">
    <title>{{site}}</title><meta name="{{preview}}" content="{{previewText}}"><meta content="{{origin}}/social.png"><body class="{{rehearsal}}">`;
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  for (const name of ['assets', '.templates']) mkdirSync(join(folder, name));
  write('.templates/inicio.html', html.padEnd(2_000));
  write('.templates/goty.html', `${html}${slot(COVER_SLOT)}<h1>goty</h1>`);
  write('goty.html', 'for Hosting');
  write('assets/main-abc.js', 'export {};'.padEnd(2_000));
  write('trophy.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const coversFolder = testFolder();
  for (const name of ['a.svg', 'b c.avif', 'page.html']) {
    writeFileSync(join(coversFolder, name), '<svg onload="alert(1)"/>');
  }
  symlinkSync(join(folder, 'trophy.svg'), join(coversFolder, 'link.svg'));
  const publicOrigin = (opened: string) => opened.replace('127.0.0.1', 'vote.example');
  const page = { folder, coversFolder, embedOrigins, publicOrigin };
  const games = async () => (await list()).map((nominee) => ({ ...nominee, votos: 0 }));
  const server = await startApiServer({ page, clock, wrap: (store) => ({ ...store, games }) });
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
});

test('N6 W24 W80 W96 the HTML of goty has every slot filled, and preloads the first cover, as the list has it in that minute, if it can be read', async () => {
  let [url, now] = ['', 0];
  const list = async () => {
    if (url === '') throw new Error('no disk');
    return [buildNominee({ url }), buildNominee({ id: 'b', url: '/b' })];
  };
  const clock = { ...patientClock, now: () => now };
  const { address, getText } = await startPage(list, [], clock);
  const html = await getText('/goty');
  expect([html.includes('<h1>goty</h1>'), html.includes('preload')]).toEqual([true, false]);
  const shared = address.replace('127.0.0.1', 'vote.example');
  expect(html).toContain(`content="${shared}/social.png"`);
  expect(html).not.toMatch(/\{\{|\}\}/);
  url = '/a';
  expect(await getText('/goty')).toContain('as="image" href="/a"');
  now = 60_000;
  expect(await getText('/goty')).toContain('as="image" href="/b"');
  expect(await getText('/inicio')).not.toContain('preload');
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
  const [open, closed] = [await startPage(undefined, origins), await startPage()];
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
