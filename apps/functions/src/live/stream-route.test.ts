import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';

/** Opens the live stream; `next` resolves with the next piece of it. */
async function watch(port: number) {
  const request = get({ port, path: '/api/goty/live', agent: false });
  const response = await responseTo(request);
  onTestFinished(() => void request.destroy());
  const pieces = response.setEncoding('utf8').iterator();
  let buffered = '';
  return {
    response,
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

test('L6 a viewer who has left is told nothing and costs nothing', async () => {
  const clock = createTestClock();
  const { calls, hub, port } = await startTestServer({ clock });
  const { next, response } = await watch(port);
  await next();
  await next();
  response.destroy();
  await vi.waitUntil(async () => {
    const before = calls.games;
    hub.changed();
    await clock.advance(200);
    return calls.games === before;
  });
});

test('L1 a vote that was counted before is no change', async () => {
  const { calls, port, send } = await startTestServer();
  const { next } = await watch(port);
  await next();
  await next();
  const key = { 'Idempotency-Key': 'one-press' };
  await send('POST', '/api/goty/hades-2', key);
  expect(await next()).toBe(standing(1));
  const before = calls.games;
  await send('POST', '/api/goty/hades-2', key);
  await send('POST', '/api/goty/hades-2');
  expect(await next()).toBe(standing(2));
  expect(calls.games).toBe(before + 1);
});

test('L3 a quiet stream is kept alive by a comment every 15 seconds', async () => {
  const clock = createTestClock();
  const { port } = await startTestServer({ clock });
  const { next } = await watch(port);
  await next();
  await next();
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\nevent: ping\ndata:\n\n');
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\nevent: ping\ndata:\n\n');
});

test('L4 a viewer on a slow line is told the newest standing when it can read again, not every one', async () => {
  const clock = createTestClock();
  let votos = 0;
  // Frames of half a megabyte: a few of them fill every buffer on the way.
  const games = async () => [{ id: 'a', name: 'x'.repeat(500_000), url: '/a.svg', votos }];
  const { port, hub } = await startTestServer({ clock, wrap: (store) => ({ ...store, games }) });
  const { next, response } = await watch(port);
  await next();
  await next();
  response.pause();
  for (votos = 1; votos < 100; votos += 1) {
    hub.changed();
    await clock.advance(100);
  }
  response.resume();
  let events = 0;
  for (let event = ''; !event.includes('"votos":99'); events += 1) event = await next();
  expect(events).toBeLessThan(90);
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
