import { COVER_POLICY, SECURITY_HEADERS } from '@goty/functions/security-headers';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from '../../testing/goty-test.ts';

test('B2 B3 B5 refusals pass Hosting as JSON, uncached', async ({ request }) => {
  const headers = { 'Content-Type': 'application/json' };
  const tooLarge = `{"a":"${'x'.repeat(1_024)}"}`;
  for (const [method, path, data, status, mensaje] of [
    ['POST', '/api/goty/a%2Fb', '{}', 404, apiTexts.unknownGame],
    ['POST', '/api/goty/hades-2', '[]', 400, apiTexts.badBody],
    ['POST', '/api/goty/hades-2', tooLarge, 413, apiTexts.bodyTooLarge],
    ['PUT', '/api/goty', '{}', 405, apiTexts.methodNotAllowed],
    ['POST', '/api/nothing', '{}', 404, apiTexts.notFound],
  ] as const) {
    const response = await request.fetch(path, { method, data, headers });
    expect(response.status(), `${method} ${path} ${data.slice(0, 20)}`).toBe(status);
    expect(await response.json()).toEqual({ ok: false, mensaje });
    expect(response.headers()['cache-control']).toBe('private, no-store');
  }
});

test('F7 Hosting sets the security headers on every path', async ({ request }) => {
  for (const path of [
    '/inicio',
    '/.x',
    '/a/.b/c',
    '/..%2fx',
    '/assets/gone-abcdefgh.js',
    '/covers/gone.svg',
    '/api/nothing',
  ]) {
    const headers = (await request.get(path)).headers();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      // Paths have policies of their own: all of them forbid frames.
      const expected = name === 'Content-Security-Policy' ? "frame-ancestors 'none'" : value;
      expect(headers[name.toLowerCase()], `${name} of ${path}`).toContain(expected);
    }
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000');
  }
});

test('P14 Hosting serves covers as images that can do nothing', async ({ request }) => {
  const cover = await request.get('/covers/hades-2.svg');
  expect(cover.headers()).toMatchObject({
    'content-security-policy': COVER_POLICY,
    'cache-control': 'public, max-age=3600',
  });
});

test('F7 Hosting calls only names with a hash immutable', async ({ page, request }) => {
  const cacheControl: Record<string, string | undefined> = {};
  page.on('response', (response) => {
    cacheControl[new URL(response.url()).pathname] = response.headers()['cache-control'];
  });
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  expect(cacheControl['/goty']).toBe('no-cache');
  expect(cacheControl['/api/goty']).toBe('public, max-age=0, s-maxage=60');
  const assets = () => Object.keys(cacheControl).filter((path) => path.startsWith('/assets/'));
  await expect.poll(() => assets().length).toBeGreaterThan(2);
  for (const path of assets()) {
    expect(cacheControl[path], path).toBe('public, max-age=31536000, immutable');
  }
  const { 'cache-control': withoutHash } = (await request.get('/assets/gone.js')).headers();
  expect(withoutHash).toBe('no-cache');
});
