import { get } from 'node:http';
import { buildGame } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HADES, LIVE, startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';

/** Opens the live stream; `next` resolves with its next event, or 'end'. */
async function watch(port: number) {
  const request = get({ port, path: '/api/goty/live', agent: false });
  const response = await responseTo(request);
  onTestFinished(() => void request.destroy());
  const chunks = response.setEncoding('utf8').iterator();
  let buffered = '';
  return {
    response,
    headers: response.headers,
    async next(): Promise<string> {
      while (!buffered.includes('\n\n')) {
        const { value, done } = await chunks.next();
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

function frame(votos: number) {
  const standings = [
    { id: HADES.id, name: HADES.name, votos },
    { id: LIVE.id, name: LIVE.name, votos: 0 },
  ];
  return `data: ${JSON.stringify(standings)}\n\n`;
}

test('L1 GET /goty/live sends the reconnection delay, the standings and each change', async () => {
  const { port, send } = await startApiServer();
  const { headers, next } = await watch(port);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream; charset=utf-8',
  });
  expect(await next()).toBe('retry: 2000\n\n');
  expect(await next()).toBe(frame(0));
  await send('POST', '/api/goty/hades-2');
  expect(await next()).toBe(frame(1));
});

test('L1 every viewer gets a change', async () => {
  const { port, send } = await startApiServer();
  const viewers = await Promise.all([watch(port), watch(port)]);
  for (const { next } of viewers) {
    await next();
    await next();
  }
  await send('POST', '/api/goty/hades-2');
  for (const { next } of viewers) expect(await next()).toBe(frame(1));
});

test('L6 a viewer that has disconnected causes no more reads', async () => {
  const clock = createTestClock();
  const { calls, hub, port } = await startApiServer({ clock });
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

test('L1 a replayed vote is no change', async () => {
  const { calls, port, send } = await startApiServer();
  const { next } = await watch(port);
  await next();
  await next();
  const key = { 'Idempotency-Key': 'one-press' };
  await send('POST', '/api/goty/hades-2', key);
  expect(await next()).toBe(frame(1));
  const before = calls.games;
  await send('POST', '/api/goty/hades-2', key);
  await send('POST', '/api/goty/hades-2');
  expect(await next()).toBe(frame(2));
  expect(calls.games).toBe(before + 1);
});

test('L3 a quiet stream is kept alive every 15 s', async () => {
  const clock = createTestClock();
  const { port } = await startApiServer({ clock });
  const { next } = await watch(port);
  await next();
  await next();
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\nevent: ping\ndata:\n\n');
  await clock.advance(15_000);
  expect(await next()).toBe(': keep-alive\nevent: ping\ndata:\n\n');
});

test('L4 a viewer on a slow connection gets the newest standings, not every one', async () => {
  const clock = createTestClock();
  let votos = 0;
  // Two frames of this size fill every buffer between server and client.
  const name = 'x'.repeat(8_000_000);
  const games = async () => [buildGame({ name, votos })];
  const { port, hub } = await startApiServer({ clock, wrap: (store) => ({ ...store, games }) });
  const { next, response } = await watch(port);
  await next();
  await next();
  response.pause();
  for (votos = 1; votos < 20; votos += 1) {
    hub.changed();
    await clock.advance(100);
  }
  response.resume();
  let frames = 0;
  for (let frame = ''; !frame.includes('"votos":19'); frames += 1) frame = await next();
  expect(frames).toBeLessThanOrEqual(4);
});

test('L9 a viewer that takes nothing for a minute is disconnected', async () => {
  const clock = createTestClock();
  const name = 'x'.repeat(8_000_000);
  const games = async () => [buildGame({ name })];
  const { calls, port, hub } = await startApiServer({
    clock,
    wrap: (store) => ({ ...store, games }),
  });
  const { response, next } = await watch(port);
  await next();
  await next();
  response.pause();
  for (let change = 0; change < 3; change += 1) {
    hub.changed();
    await clock.advance(100);
  }
  await clock.advance(59_000);
  hub.changed();
  await clock.advance(100);
  expect(calls.games).toBe(5);
  await clock.advance(16_000);
  hub.changed();
  await clock.advance(100);
  expect(calls.games).toBe(5);
});

test.each([
  ['in all', { total: 2, perAddress: 9 }],
  ['for an address', { total: 9, perAddress: 2 }],
])('L9 a stream beyond the limit %s is 503, until one of the others ends', async (_, limits) => {
  const clock = createTestClock();
  const { log, port, send } = await startApiServer({ clock, streamLimits: limits });
  const [first] = await Promise.all([watch(port), watch(port)]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { status, headers, body } = await send('GET', '/api/goty/live');
    expect([status, headers['retry-after'], JSON.parse(body)]).toEqual([
      503,
      '10',
      { ok: false, mensaje: apiTexts.tooManyStreams },
    ]);
  }
  const line = 'Live streams are refused: too many are open, in all or for one address.';
  expect(log.lines).toEqual([line]);
  await clock.advance(60_000);
  await send('GET', '/api/goty/live');
  expect(log.lines).toEqual([
    line,
    'Traffic of 60 s: 0 votes; refused: too-many-streams 3; 2 viewers',
    line,
  ]);

  first?.response.destroy();
  await vi.waitUntil(async () => (await watch(port)).response.statusCode === 200);
});

test('L1 HEAD /goty/live ends at once', async () => {
  const { send } = await startApiServer();
  expect(await send('HEAD', '/api/goty/live')).toMatchObject({ status: 200, body: '' });
});

test('B5 a game with the id live can be voted for', async () => {
  const { send, votos } = await startApiServer();
  expect((await send('POST', '/api/goty/live')).status).toBe(200);
  expect(await votos()).toMatchObject({ live: 1 });
});
