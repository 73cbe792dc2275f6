import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Nominee } from '@goty/shared/nominee';
import { COVER_SLOT, slot } from '@goty/shared/page-html';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { createTestLog } from '../../testing/log.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { portOf } from './http-server.ts';
import { createPage } from './page.ts';

/** Serves a small built page for the running test. Resolves with a fetch on its origin. */
async function startPage(list: () => Promise<readonly Nominee[]> = async () => []) {
  const folder = testFolder();
  mkdirSync(join(folder, 'assets'));
  const html = `<!doctype html><html lang="es" data-live="{{live}}" data-firestore="{{firestore}}">
    <title>GOTY</title><meta content="{{origin}}/social.png">`;
  const templates = join(folder, '.templates');
  mkdirSync(templates);
  writeFileSync(join(templates, 'inicio.html'), html.padEnd(2_000));
  writeFileSync(join(templates, 'goty.html'), `${html}${slot(COVER_SLOT)}<h1>goty</h1>`);
  writeFileSync(join(folder, 'goty.html'), 'for Hosting');
  writeFileSync(join(folder, 'assets', 'main-abc.js'), 'export {};'.padEnd(2_000));
  writeFileSync(join(folder, 'trophy.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const coversFolder = testFolder();
  const server = createServer(
    express()
      .use(securityHeaders)
      .use(createPage({ folder, coversFolder, nominees: { list }, log: createTestLog() })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init);
}

test.each(['/inicio', '/goty'])(
  'P8 the page is served at %s, and revalidated each time',
  async (path) => {
    const get = await startPage();
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<title>GOTY</title>');
  },
);

test.each([
  ['/', '/inicio'],
  ['/anything/else', '/inicio'],
  ['/index.html', '/inicio'],
  ['/.templates/goty.html', '/inicio'],
  ['/assets', '/inicio'],
  ['//x.example/goty', '/inicio'],
  ['/goty/', '/goty'],
  ['/GOTY', '/goty'],
])('W2 P8 %s redirects to %s, and that is not cached', async (path, location) => {
  const get = await startPage();
  const response = await get(path, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, location]);
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('P8 a prerendered screen is served at its path only', async () => {
  const get = await startPage();
  expect(await (await get('/goty')).text()).toContain('<h1>goty</h1>');
  expect(await (await get('/other')).text()).not.toContain('<h1>');
});

test('W82 the HTML of goty preloads the first cover, as the list has it now', async () => {
  let url = '/covers/a.svg';
  const get = await startPage(async () => [buildNominee({ url }), buildNominee({ url: '/b' })]);
  expect(await (await get('/goty')).text()).toContain('as="image" href="/covers/a.svg"');
  url = 'https://x.example/?a=1&b="c"';
  const html = await (await get('/goty')).text();
  expect(html).toContain('as="image" href="https://x.example/?a=1&amp;b=&quot;c&quot;"');
  expect(html).not.toContain('href="/b"');
  expect(await (await get('/inicio')).text()).not.toContain('preload');
});

test('P8 no unfilled slot is left in any page', async () => {
  const get = await startPage();
  for (const path of ['/goty', '/other']) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/\{\{|\}\}/);
  }
});

test('W82 the page comes without a preload if the nominee list cannot be read', async () => {
  const get = await startPage(() => Promise.reject(new Error('no disk')));
  const html = await (await get('/goty')).text();
  expect(html).toContain('<h1>goty</h1>');
  expect(html).not.toContain('preload');
});

test('W24 the image of a link preview has an absolute URL on the requested host', async () => {
  const get = await startPage();
  const response = await get('/goty');
  const { host } = new URL(response.url);
  expect(await response.text()).toContain(`content="http://${host}/social.png"`);
});

test.each([{ Range: 'bytes=999999-' }, { 'If-Match': '"x"' }])(
  'B8 a file request with %j is refused in JSON, and that is not cached',
  async (headers) => {
    const get = await startPage();
    const response = await get('/assets/main-abc.js', { headers });
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ ok: false, mensaje: apiTexts.badRequest });
  },
);

test('P8 a browser gets the page at a path with a dot too', async () => {
  const get = await startPage();
  const response = await get('/v1.0', { headers: { Accept: 'text/html,*/*;q=0.8' } });
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('P8 hashed files are cached for a year, the others for an hour', async () => {
  const get = await startPage();
  const hashed = await get('/assets/main-abc.js');
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const named = await get('/trophy.svg');
  expect(named.headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each(['/assets/gone.js', '/covers/gone.svg'])(
  'P8 the missing file %s is 404, not the page',
  async (path) => {
    const get = await startPage();
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ ok: false, mensaje: apiTexts.notFound });
  },
);

test('B5 a method other than GET and HEAD is 405', async () => {
  const get = await startPage();
  const response = await get('/goty', { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test.each(['/%ZZ', '/%00', '/..%2f..%2fetc/passwd'])(
  'B2 the response to the path %s has no stack trace',
  async (path) => {
    const get = await startPage();
    const response = await get(path);
    expect(await response.text()).not.toMatch(/ at |node_modules|root:/);
    expect(response.status).toBeLessThan(500);
  },
);

test('W17 every response forbids scripts and styles from elsewhere, and framing', async () => {
  const get = await startPage();
  for (const path of ['/inicio', '/trophy.svg', '/assets/gone.js']) {
    const { headers } = await get(path);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('P8 text is compressed', async () => {
  const get = await startPage();
  for (const encoding of ['gzip', 'br']) {
    const response = await get('/inicio', { headers: { 'Accept-Encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
  }
});
