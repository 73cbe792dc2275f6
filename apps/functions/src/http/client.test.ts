import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { type ApiServerOptions, refusal, startApiServer } from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';

/** The statuses of votes with these headers, sent one after the other to a new server. */
async function startAndVote(options: ApiServerOptions, headers: readonly Record<string, string>[]) {
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
  ['a limit of 0 is none', 0, Array(3).fill({}), [200, 200, 200]],
  ['a page of another site uses up no votes', 1, [FOREIGN, FOREIGN, {}], [403, 403, 200]],
  ['a forged X-Forwarded-For changes nothing', 1, forwarded('192.0.2.1', '192.0.2.2'), [200, 429]],
])('V9 %s', async (_what, votesPerMinute, headers, statuses) => {
  expect((await startAndVote({ votesPerMinute }, headers)).statuses).toEqual(statuses);
});

test.each([
  [
    'is the last one, which the proxy adds',
    { '203.0.113.1': 200, '203.0.113.2': 200, '198.51.100.9, 203.0.113.1': 429 },
  ],
  [
    'of IPv4 is the same in IPv6',
    { '::ffff:203.0.113.1': 200, '::ffff:203.0.113.2': 200, '203.0.113.1': 429 },
  ],
  [
    'of IPv6 counts with its network',
    { '2001:db8:1:2::1': 200, '2001:db8:1:2:ffff::1': 429, '2001:db8:1:3::1': 200 },
  ],
  [
    'is the same with the port that some proxies add',
    { '203.0.113.1': 200, '203.0.113.1:4711': 429, '2001:db8::1': 200, '[2001:db8::2]:4711': 429 },
  ],
  [
    'is that of the proxy where it sends none',
    { unknown: 200, ['x'.repeat(9_000)]: 429, '203.0.113.1': 200, '127.0.0.1': 429 },
  ],
  [
    'of the local link is the same at each interface',
    { 'fe80::1%br-lan': 200, 'fe80::1%eth0.100': 429 },
  ],
])('V9 behind a trusted proxy the address %s', async (_what, expected) => {
  const options = { votesPerMinute: 1, trustedProxies: 1 };
  const { statuses } = await startAndVote(options, forwarded(...Object.keys(expected)));
  expect(statuses).toEqual(Object.values(expected));
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

test('P2 V9 a proxy that TRUST_PROXY does not count is named once, and not believed', async () => {
  const { log, send } = await startApiServer({ policy: 'one-per-visitor' });
  for (const header of forwarded('203.0.113.1', '203.0.113.2')) {
    const { headers } = await send('GET', '/api/goty', { ...header, 'X-Forwarded-Proto': 'https' });
    expect(headers['set-cookie']?.[0]).not.toContain('Secure');
    expect(headers).not.toHaveProperty('strict-transport-security');
  }
  expect(log.lines).toEqual([expect.stringContaining('set TRUST_PROXY')]);
});
