import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClock } from './test-clock.ts';
import { startTestServer } from './test-server.ts';

/** Opens the live stream; `next` resolves with the next piece of it. */
async function watch(port: number) {
  const request = get({ port, path: '/api/goty/live', agent: false });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('no response');
  onTestFinished(() => void request.destroy());
  const pieces = response.setEncoding('utf8').iterator();
  let buffered = '';
  return {
    headers: response.headers,
    async next(): Promise<string> {
      while (!buffered.includes('\n\n')) {
        const { value, done } = await pieces.next();
        if (done) return 'end';
        buffered += value;
      }
      const end = buffered.indexOf('\n\n') + 2;
      const event = buffered.slice(0, end);
      buffered = buffered.slice(end);
      return event;
    },
  };
}

function standing(votos: number) {
  return `data: [{"id":"hades-2","name":"Hades II","votos":${votos}},{"id":"live","name":"A game called live","votos":0}]\n\n`;
}

test('L1 GET /goty/live says when to come back, then the standing, then each change', async () => {
  const { port, send } = await startTestServer();
  const { headers, next } = await watch(port);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream; charset=utf-8',
  });
  expect(await next()).toBe('retry: 2000\n\n');
  expect(await next()).toBe(standing(0));
  await send('POST', '/api/goty/hades-2');
  expect(await next()).toBe(standing(1));
});

test('L1 everybody who watches is told', async () => {
  const { port, send } = await startTestServer();
  const viewers = await Promise.all([watch(port), watch(port)]);
  for (const { next } of viewers) {
    await next();
    await next();
  }
  await send('POST', '/api/goty/hades-2');
  for (const { next } of viewers) expect(await next()).toBe(standing(1));
});

test('L3 a quiet stream is kept alive by a comment every 15 seconds', async () => {
  const clock = createTestClock();
  const { port } = await startTestServer({ clock });
  const { next } = await watch(port);
  await next();
  await next();
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\n\n');
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\n\n');
});

test('L1 HEAD /goty/live ends at once', async () => {
  const { send } = await startTestServer();
  expect(await send('HEAD', '/api/goty/live')).toMatchObject({ status: 200, body: '' });
});

test('B5 a game called live can be voted for', async () => {
  const { send, votos } = await startTestServer();
  expect((await send('POST', '/api/goty/live')).status).toBe(200);
  expect(await votos()).toMatchObject({ live: 1 });
});
