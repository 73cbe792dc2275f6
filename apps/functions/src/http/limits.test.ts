import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';

type Headers = Record<string, string>;

/** Sends a vote for each of the headers, one after the other. Resolves with the statuses. */
async function statusesOf(
  { send }: Pick<Awaited<ReturnType<typeof startApiServer>>, 'send'>,
  headers: readonly Headers[],
) {
  const statuses = [];
  for (const each of headers) {
    statuses.push((await send('POST', '/api/goty/hades-2', each)).status);
  }
  return statuses;
}

test('V9 votes beyond the limit for an address are 429 with Retry-After, and do not count', async () => {
  const server = await startApiServer({ votesPerMinute: 2 });
  expect(await statusesOf(server, [{}, {}, {}])).toEqual([200, 200, 429]);
  const { answer, headers } = await server.send('POST', '/api/goty/hades-2');
  expect([...answer, headers['retry-after']]).toEqual([429, refusal(apiTexts.tooManyVotes), '60']);
  expect(await server.votos()).toMatchObject({ 'hades-2': 2 });
  expect((await server.send('GET', '/api/goty')).status).toBe(200);
  // Without the address.
  expect(server.log.lines).toEqual([
    'Votes are refused: an address has sent more than VOTES_PER_MINUTE.',
  ]);
});

test('V9 a limit of 0 is none', async () => {
  const server = await startApiServer({ votesPerMinute: 0 });
  expect(new Set(await statusesOf(server, Array(20).fill({})))).toEqual(new Set([200]));
});

test('V9 a page of another site uses up none of its visitor’s votes', async () => {
  const server = await startApiServer({ votesPerMinute: 1 });
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  expect(await statusesOf(server, [foreign, foreign, {}])).toEqual([403, 403, 200]);
});

test('V9 without TRUST_PROXY, a forged X-Forwarded-For changes nothing', async () => {
  const server = await startApiServer({ votesPerMinute: 1 });
  const forged = ['203.0.113.1', '203.0.113.2'].map((ip) => ({ 'X-Forwarded-For': ip }));
  expect(await statusesOf(server, forged)).toEqual([200, 429]);
});

test('V9 behind a trusted proxy, the address is the one that the proxy adds', async () => {
  const server = await startApiServer({ votesPerMinute: 1, trustedProxies: 1 });
  const sent = [
    '203.0.113.1',
    '203.0.113.2',
    // What the client sent itself stands to the left.
    '198.51.100.9, 203.0.113.1',
    '::ffff:203.0.113.1',
    '::ffff:203.0.113.3',
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff::1',
    '2001:db8:1:3::1',
    // Some proxies add a port.
    '203.0.113.1:4711',
    '[2001:db8:1:3::2]:4711',
  ].map((ip) => ({ 'X-Forwarded-For': ip }));
  expect(await statusesOf(server, sent)).toEqual([
    200, 200, 429, 429, 200, 200, 429, 200, 429, 429,
  ]);
});

test('V9 what is no address counts as the proxy that sends it', async () => {
  const server = await startApiServer({ votesPerMinute: 1, trustedProxies: 1 });
  const sent = ['unknown', 'x'.repeat(9_000), '203.0.113.1', '127.0.0.1'].map((ip) => ({
    'X-Forwarded-For': ip,
  }));
  expect(await statusesOf(server, sent)).toEqual([200, 429, 200, 429]);
});

test('V9 the minute slides: no other minute lets twice as many through', async () => {
  let elapsed = 59_000;
  const clock = { ...patientClock, elapsed: () => elapsed };
  const server = await startApiServer({ votesPerMinute: 10, clock });
  const votes = async () => {
    const statuses = await statusesOf(server, Array(20).fill({}));
    return statuses.filter((status) => status === 200).length;
  };
  expect(await votes()).toBe(10);
  elapsed += 2_000;
  expect(await votes()).toBe(1);
  elapsed += 29_000;
  expect(await votes()).toBe(4);
  elapsed += 120_000;
  expect(await votes()).toBe(10);
});

test('P12 a proxy that TRUST_PROXY does not count is named once', async () => {
  const server = await startApiServer();
  await statusesOf(server, Array(3).fill({ 'X-Forwarded-For': '203.0.113.1' }));
  expect(server.log.lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
});

test.each([
  [0, false],
  [1, true],
])(
  'V9 with TRUST_PROXY=%i, X-Forwarded-Proto is believed: %s',
  async (trustedProxies, isBelieved) => {
    const { send } = await startApiServer({ policy: 'one-per-visitor', trustedProxies });
    const { headers } = await send('GET', '/api/goty', { 'X-Forwarded-Proto': 'https' });
    expect(headers['set-cookie']?.[0]?.includes('Secure')).toBe(isBelieved);
    expect('strict-transport-security' in headers).toBe(isBelieved);
  },
);
