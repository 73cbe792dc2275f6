import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '@goty/functions/security-headers';
import { expect, test } from '../../testing/goty-test.ts';

test('F7 P14 Hosting sets the security headers on every path, allows Firestore, and covers can do nothing', async ({
  request,
  firestore,
}) => {
  const connect = `connect-src 'self' https://firestore.googleapis.com http://${firestore}; `;
  for (const path of [
    '/inicio',
    '/.x',
    '/a/.b/c',
    '/..%2fx',
    '/assets/gone-abcdefgh.js',
    '/covers/hades-2.svg',
    '/covers/gone.svg',
    '/api/nothing',
  ]) {
    const headers = (await request.get(path)).headers();
    const expected = {
      ...SECURITY_HEADERS,
      ...HSTS,
      ...(path.startsWith('/covers/') && { 'Content-Security-Policy': COVER_POLICY }),
    };
    for (const [name, value] of Object.entries(expected)) {
      expect(headers[name.toLowerCase()]?.replace(connect, ''), `${name} of ${path}`).toBe(value);
    }
  }
  const page = (await request.get('/inicio')).headers();
  expect(page['content-security-policy']).toContain(connect);
  const cover = (await request.get('/covers/hades-2.svg')).headers();
  expect(cover['cache-control']).toBe('public, max-age=3600');
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
