import { COVER_POLICY, SECURITY_HEADERS } from '@goty/functions/security-headers';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from '../../testing/goty-test.ts';

test('B2 B3 B4 B5 B7 refusals through Hosting are JSON, and are not cached', async ({
  request,
}) => {
  const json = { 'Content-Type': 'application/json' };
  for (const [method, path, data, status, mensaje] of [
    ['POST', '/api/goty/nobody', '{}', 404, apiTexts.unknownGame],
    ['POST', '/api/goty/a%2Fb', '{}', 404, apiTexts.unknownGame],
    ['POST', '/api/goty/hades-2', '{"a":', 400, apiTexts.badBody],
    ['POST', '/api/goty/hades-2', '[]', 400, apiTexts.badBody],
    ['POST', '/api/goty/hades-2', `{"a":"${'x'.repeat(1_024)}"}`, 413, apiTexts.bodyTooLarge],
    ['PUT', '/api/goty', '{}', 405, apiTexts.methodNotAllowed],
    ['GET', '/api/nothing', '', 404, apiTexts.notFound],
  ] as const) {
    const body = data === '' ? {} : { data, headers: json };
    const response = await request.fetch(path, { method, ...body });
    expect(response.status(), `${method} ${path} ${data.slice(0, 20)}`).toBe(status);
    expect(await response.json()).toEqual({ ok: false, mensaje });
    expect(response.headers()['cache-control']).toBe('no-store');
  }
});

test('F7 Hosting sets the security headers on every path', async ({ request }) => {
  for (const path of [
    '/.x',
    '/a/.b/c',
    '/..%2fx',
    '/anything',
    '/assets/gone-abcdefgh.js',
    '/covers/gone.svg',
    '/api/nothing',
  ]) {
    const headers = (await request.get(path)).headers();
    for (const name of Object.keys(SECURITY_HEADERS)) {
      expect(headers[name.toLowerCase()], `${name} of ${path}`).toBeTruthy();
    }
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000');
  }
});

test('P15 Hosting serves covers as images that can do nothing', async ({ request }) => {
  const cover = await request.get('/covers/hades-2.svg');
  expect([cover.status(), cover.headers()['content-security-policy']]).toEqual([200, COVER_POLICY]);
  expect(cover.headers()['cache-control']).toBe('public, max-age=3600');
});

test('F7 Hosting calls nothing immutable whose name has no hash', async ({ request }) => {
  const response = await request.get('/assets/gone.js');
  expect([response.status(), response.headers()['cache-control']]).toEqual([404, 'no-cache']);
});

test('F7 Hosting sets the security headers, and Cache-Control for page, list and assets', async ({
  page,
}) => {
  const cacheControl: Record<string, string | undefined> = {};
  const inicio = await page.request.get('/inicio');
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (name === 'Content-Security-Policy') continue;
    expect(inicio.headers()[name.toLowerCase()]).toBe(value);
  }
  expect(inicio.headers()['content-security-policy']).toMatch(/^default-src 'self'; connect-src /);
  page.on('response', (response) => {
    cacheControl[new URL(response.url()).pathname] = response.headers()['cache-control'];
  });
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  expect(cacheControl['/goty']).toBe('no-cache');
  expect(cacheControl['/api/goty']).toBe('public, max-age=0, s-maxage=60');
  const assets = Object.entries(cacheControl).filter(([path]) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(2);
  for (const [, value] of assets) expect(value).toBe('public, max-age=31536000, immutable');
});
