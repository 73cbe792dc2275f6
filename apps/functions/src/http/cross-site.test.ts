import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';

const HOST = 'goty.example';

test.each([
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://goty.example' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'https://goty.example.evil.example' },
  { Origin: 'https://goty.example:8443' },
  { Origin: 'null' },
  { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' },
])('B10 a vote with %j is 403, counts nothing and sets no cookie', async (headers) => {
  const { calls, send } = await startApiServer({ policy: 'one-per-visitor' });
  const reply = await send('POST', '/api/goty/hades-2', { Host: HOST, ...headers }, '{}');
  expect(reply.answer).toEqual([403, refusal(apiTexts.crossSite)]);
  expect(reply.headers['set-cookie']).toBeUndefined();
  expect(calls().commit).toBe(0);
});

test.each([
  {},
  // A proxy that rewrites Host.
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://vote.example' },
  { 'Sec-Fetch-Site': 'none' },
  { Origin: 'https://goty.example' },
])('B10 a vote with %j counts', async (headers) => {
  const { send } = await startApiServer();
  const reply = await send('POST', '/api/goty/hades-2', { Host: HOST, ...headers }, '{}');
  expect(reply.status).toBe(200);
});

test('B10 a page of another site gets the nominee list without a cookie', async () => {
  const { send } = await startApiServer({ policy: 'one-per-visitor' });
  const { status, headers } = await send('GET', '/api/goty', { 'Sec-Fetch-Site': 'cross-site' });
  expect([status, headers['set-cookie']]).toEqual([200, undefined]);
});
