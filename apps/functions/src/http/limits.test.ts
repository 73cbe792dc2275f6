import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { type ApiServerOptions, refusal, startApiServer } from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';

type Headers = Record<string, string>;

/** A server, and the statuses of votes with these headers, sent one after the other. */
async function startAndVote(options: ApiServerOptions, headers: readonly Headers[]) {
  const server = await startApiServer(options);
  const statuses = [];
  for (const each of headers) {
    statuses.push((await server.send('POST', '/api/goty/hades-2', each)).status);
  }
  return { ...server, statuses };
}

test('V9 votes beyond the limit for an address are 429 with Retry-After, and do not count', async () => {
  const server = await startAndVote({ votesPerMinute: 2 }, [{}, {}, {}]);
  expect(server.statuses).toEqual([200, 200, 429]);
  const { answer, headers } = await server.send('POST', '/api/goty/hades-2');
  expect([...answer, headers['retry-after']]).toEqual([429, refusal(apiTexts.tooManyVotes), '70']);
  expect(await server.votos()).toMatchObject({ 'hades-2': 2 });
  expect((await server.send('GET', '/api/goty')).status).toBe(200);
  // Without the address.
  expect(server.log.lines).toEqual([
    'Votes are refused: an address has sent more than VOTES_PER_MINUTE.',
  ]);
});

const forwarded = (...ips: string[]) => ips.map((ip) => ({ 'X-Forwarded-For': ip }));
const FOREIGN = { 'Sec-Fetch-Site': 'cross-site' };

test.each([
  ['a limit of 0 is none', { votesPerMinute: 0 }, Array(3).fill({}), [200, 200, 200]],
  [
    'a page of another site uses up none of its visitor’s votes',
    { votesPerMinute: 1 },
    [FOREIGN, FOREIGN, {}],
    [403, 403, 200],
  ],
  [
    'without TRUST_PROXY, a forged X-Forwarded-For changes nothing',
    { votesPerMinute: 1 },
    forwarded('203.0.113.1', '203.0.113.2'),
    [200, 429],
  ],
  [
    'behind a trusted proxy, the address is the last one, which the proxy adds',
    { votesPerMinute: 1, trustedProxies: 1 },
    forwarded('203.0.113.1', '203.0.113.2', '198.51.100.9, 203.0.113.1'),
    [200, 200, 429],
  ],
  [
    'an IPv4 address counts as itself in IPv6 too, and one of IPv6 with its network',
    { votesPerMinute: 1, trustedProxies: 1 },
    forwarded(
      ...['::ffff:203.0.113.1', '::ffff:203.0.113.2', '203.0.113.1'],
      ...['2001:db8:1:2::1', '2001:db8:1:2:ffff::1', '2001:db8:1:3::1'],
    ),
    [200, 200, 429, 200, 429, 200],
  ],
  [
    'the port that some proxies add is no other address',
    { votesPerMinute: 1, trustedProxies: 1 },
    forwarded('203.0.113.1', '203.0.113.1:4711', '2001:db8:1:2::1', '[2001:db8:1:2::2]:4711'),
    [200, 429, 200, 429],
  ],
  [
    'what is no address counts as the proxy that sends it',
    { votesPerMinute: 1, trustedProxies: 1 },
    forwarded('unknown', 'x'.repeat(9_000), '203.0.113.1', '127.0.0.1'),
    [200, 429, 200, 429],
  ],
  [
    'the interface of an address of the local link does not matter',
    { votesPerMinute: 1, trustedProxies: 1 },
    forwarded('fe80::1%br-lan', 'fe80::1%eth0.100'),
    [200, 429],
  ],
])('V9 %s', async (_what, options, headers, statuses) => {
  expect((await startAndVote(options, headers)).statuses).toEqual(statuses);
});

test('V9 no minute, wherever it begins, lets more through, and ten seconds after it all may vote again', async () => {
  let elapsed = 59_000;
  const clock = { ...patientClock, elapsed: () => elapsed };
  const { send } = await startApiServer({ votesPerMinute: 10, clock });
  const votes = async () => {
    let counted = 0;
    while ((await send('POST', '/api/goty/hades-2')).status === 200) counted += 1;
    return counted;
  };
  expect(await votes()).toBe(10);
  elapsed += 59_999;
  expect(await votes()).toBe(0);
  elapsed += 10_001;
  expect(await votes()).toBe(10);
  elapsed += 600_000;
  expect(await votes()).toBe(10);
});

test('P2 a proxy that TRUST_PROXY does not count is named once', async () => {
  const { log } = await startAndVote({}, forwarded('203.0.113.1', '203.0.113.2'));
  expect(log.lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
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
