import { apiTexts } from '@goty/shared/texts';
import { expect } from 'vitest';
import { refusal } from '../../testing/api-server.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { testWithFirestore as test } from '../../testing/firestore.ts';

test('F4 B10 by default pages of any origin may read, without credentials, and only our own may vote', async () => {
  const { send } = await startCloudServer();
  const { headers } = await send('GET', '/goty', { Origin: 'https://a.example' });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  const preflight = await send('OPTIONS', '/goty/a', {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type,idempotency-key',
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toBe('GET,HEAD,POST');
  expect(preflight.headers['access-control-allow-headers']).toBe(
    'Content-Type,Idempotency-Key,X-Firebase-AppCheck',
  );
  const vote = await send('POST', '/goty/a', { Origin: 'https://a.example' });
  expect(vote.answer).toEqual([403, refusal(apiTexts.crossSite)]);
  // The page can read why.
  expect(vote.headers['access-control-allow-origin']).toBe('*');
  // Behind Hosting, our own is known by the host that the visitor sees.
  const own = { Origin: 'https://goty.web.app', 'X-Forwarded-Host': 'goty.web.app' };
  expect((await send('POST', '/api/goty/a', own)).status).toBe(200);
});

test('F4 if origins are configured, only their pages may call the API, and vote', async () => {
  const origins = ['https://a.example', 'https://b.example'];
  const { send, tally } = await startCloudServer({ origins });
  const allowed = async (origin: string) =>
    (await send('GET', '/goty', { Origin: origin })).headers['access-control-allow-origin'];
  expect(await allowed('https://b.example')).toBe('https://b.example');
  expect(await allowed('https://c.example')).toBeUndefined();
  const voteFrom = async (Origin: string) =>
    (await send('POST', '/goty/a', { Origin, 'Sec-Fetch-Site': 'cross-site' })).status;
  expect(await voteFrom('https://b.example')).toBe(200);
  expect(await voteFrom('https://c.example')).toBe(403);
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
});
