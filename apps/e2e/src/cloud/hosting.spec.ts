import { COVER_POLICY, HSTS, SECURITY_HEADERS } from '@goty/functions/security-headers';
import { expect, test } from '../../testing/goty-test.ts';

test('F7 P14 Hosting sets the security headers on every path', async ({ request, firestore }) => {
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
});

test('F7 Hosting calls only names with a hash immutable', async ({ request }) => {
  const assets = (await (await request.get('/goty')).text()).match(/\/assets\/[\w.-]+/g) ?? [];
  expect(assets.length).toBeGreaterThan(2);
  for (const [path, expected] of Object.entries({
    '/goty': 'no-cache',
    '/assets/gone.js': 'no-cache',
    '/covers/hades-2.svg': 'public, max-age=3600',
    '/api/goty': expect.stringMatching(/^public, max-age=0, s-maxage=([1-9]|[1-5]\d|60)$/),
    ...Object.fromEntries(assets.map((path) => [path, 'public, max-age=31536000, immutable'])),
  })) {
    expect((await request.get(path)).headers()['cache-control'], path).toEqual(expected);
  }
});

test('F10 however many requests come at once, the emulators answer those that come then', async ({
  request,
}) => {
  const answers = Array.from({ length: 60 }, () => request.get('/api/standings', { timeout: 0 }));
  // On a slow machine, Hosting gives some of them up after a minute.
  for (const answer of answers) expect([200, 504]).toContain((await answer).status());
  const statusNow = async () => (await request.get('/api/standings', { timeout: 0 })).status();
  await expect.poll(statusNow).toBe(200);
});
