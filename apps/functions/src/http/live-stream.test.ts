import { get, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PING_INTERVAL_MS } from '@goty/shared/protocol';
import { buildGame } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HADES, LIVE, refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock, patientClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Snapshot } from '../votes/vote-view.ts';
import { createLiveStream } from './live-stream.ts';

/** Opens the live stream; `next` resolves with its next event, or 'end'. */
async function open(port: number) {
  const request = get({ port, path: '/api/goty/live', agent: false });
  onTestFinished(() => void request.destroy());
  const response = await responseTo(request);
  const chunks = response.setEncoding('utf8').iterator();
  let buffered = '';
  const next = async (): Promise<string> => {
    while (!buffered.includes('\n\n')) {
      const { value, done } = await chunks.next();
      if (done) return 'end';
      buffered += value;
    }
    const end = buffered.indexOf('\n\n') + 2;
    const event = buffered.slice(0, end);
    buffered = buffered.slice(end);
    return event;
  };
  return { response, next };
}

async function watch(port: number) {
  const viewer = await open(port);
  expect(await viewer.next()).toMatch(/^retry: /);
  expect(await viewer.next()).toMatch(/^data: /);
  return viewer;
}

function frame(votos: number) {
  const [hades, live] = [HADES, LIVE].map(({ id, name }) => ({ id, name, votos: 0 }));
  return `data: ${JSON.stringify([{ ...hades, votos }, live])}\n\n`;
}

/** A server whose standings fill every buffer between it and a viewer with two frames. */
async function startLargeServer() {
  const clock = createTestClock();
  const game = buildGame({ name: 'x'.repeat(8_000_000), votos: 0 });
  const state = { votos: 0 };
  const games = async () => [{ ...game, votos: state.votos }];
  const server = await startApiServer({ clock, wrap: (store) => ({ ...store, games }) });
  const change = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      state.votos += 1;
      server.view.committed({ counted: 1 });
      await clock.advance(100);
    }
  };
  return { ...server, change, clock };
}

test('L1 L3 GET /goty/live sends the reconnection delay, the standings and each change to all', async () => {
  const { calls, port, send } = await startApiServer();
  const viewers = await Promise.all([open(port), open(port)]);
  expect(viewers[0]?.response.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream; charset=utf-8',
  });
  for (const { next } of viewers) {
    expect(await next()).toMatch(/^retry: 2000\n/);
    expect(await next()).toBe(frame(0));
  }
  const key = { 'Idempotency-Key': 'one-press' };
  await send('POST', '/api/goty/hades-2', key);
  for (const { next } of viewers) expect(await next()).toBe(frame(1));
  const before = calls().games;
  await send('POST', '/api/goty/hades-2', key);
  await send('POST', '/api/goty/hades-2');
  for (const { next } of viewers) expect(await next()).toBe(frame(2));
  expect(calls().games).toBe(before + 1);
});

test('L3 a stream tells how many are open, at its beginning and every 15 s', async () => {
  const clock = createTestClock();
  const { port } = await startApiServer({ clock });
  const { next } = await open(port);
  expect([await next(), await next()]).toEqual(['retry: 2000\nevent: ping\ndata: 1\n\n', frame(0)]);
  const other = await open(port);
  expect(await other.next()).toBe('retry: 2000\nevent: ping\ndata: 2\n\n');
  await clock.advance(15_000);
  expect(await next()).toBe('event: ping\ndata: 2\n\n');
  other.response.destroy();
  const nextPing = async () => {
    await clock.advance(15_000);
    return next();
  };
  await expect.poll(nextPing).toBe('event: ping\ndata: 1\n\n');
});

test('L4 a viewer on a slow connection gets the newest standings, not every one', async () => {
  const { change, port } = await startLargeServer();
  const { next, response } = await watch(port);
  response.pause();
  await change(7);
  response.resume();
  let frames = 0;
  for (let frame = ''; !frame.includes('"votos":7'); frames += 1) frame = await next();
  expect(frames).toBeLessThanOrEqual(4);
});

test('L4 P4 a stream that ends while an event waits is ended without another', async () => {
  const { change, close, port } = await startLargeServer();
  const [stays, leaves] = [await open(port), await open(port)];
  await change(3);
  leaves.response.destroy();
  close();
  const events = [];
  for (let event = ''; event !== 'end'; events.push(event)) event = await stays.next();
  // The one that the connection had not taken, and the one behind it; not the newest, which waited.
  expect(events.filter((event) => event.startsWith('data:'))).toHaveLength(2);
  expect(events.join('')).not.toContain('"votos":3');
});

test('B9 a stream that fails is ended, and the server goes on', async () => {
  const after: Clock['after'] = (ms, callback) => {
    if (ms === PING_INTERVAL_MS) throw new Error('no timer');
    return patientClock.after(ms, callback);
  };
  const { log, port, send } = await startApiServer({ clock: { ...patientClock, after } });
  const { next } = await open(port);
  await expect(next().then(next)).rejects.toThrow('aborted');
  expect((await send('GET', '/api/goty')).status).toBe(200);
  expect(log.lines).toEqual([expect.stringMatching(/^GET \/api\/goty\/live failed: .*no timer/)]);
});

test('L9 a viewer that takes nothing for a minute is disconnected', async () => {
  const { calls, change, clock, port } = await startLargeServer();
  const { response } = await watch(port);
  response.pause();
  await change(3);
  await clock.advance(59_000);
  await change(1);
  expect(calls().games).toBe(5);
  await clock.advance(16_000);
  await change(1);
  expect(calls().games).toBe(5);
});

test.each([
  ['in all', { total: 2, perAddress: 9 }],
  ['for an address', { total: 9, perAddress: 2 }],
])('L9 a stream beyond the limit %s is 503, until one of the others ends', async (_, limits) => {
  const clock = createTestClock();
  const { log, port, send } = await startApiServer({ clock, streams: limits });
  const [first] = await Promise.all([watch(port), watch(port)]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { answer, headers } = await send('GET', '/api/goty/live');
    expect(answer).toEqual([503, refusal(apiTexts.tooManyStreams)]);
    expect(headers['retry-after']).toBe('10');
  }
  const line = 'Live streams are refused: too many are open, in all or for one address.';
  expect(log.lines).toEqual([line]);
  await clock.advance(60_000);
  await send('GET', '/api/goty/live');
  const traffic = 'Traffic of 60 s: 0 votes; refused: too-many-streams 3; 2 viewers';
  expect(log.lines).toEqual([line, traffic, line]);

  first?.response.destroy();
  await expect.poll(async () => (await open(port)).response.statusCode).toBe(200);
});

/** A stream with viewers that cost no connection. The test tells what the view knows. */
function setUp() {
  const clock = createTestClock();
  let told = (_snapshot: Snapshot) => {};
  const left = vi.fn();
  const view = {
    subscribe(tell: typeof told) {
      told = tell;
      return left;
    },
  };
  const live = createLiveStream({
    view,
    limits: { total: 9, perAddress: 9 },
    clientOf: () => ({ network: '', isSecure: false, host: undefined }),
    clock,
    refuse() {},
  });
  const watch = () => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    const seen: string[] = [];
    vi.spyOn(response, 'write').mockImplementation((frame) => Boolean(seen.push(String(frame))));
    const end = vi.spyOn(response, 'end');
    live.open(request, response);
    return { end, leave: () => response.emit('close'), seen };
  };
  const state = {
    revision: 1,
    changes: 1,
    times: TIMES,
    frozenAt: undefined,
    endsAtClose: false,
    voided: 0,
  };
  const others = { state, nominees: [], byId: new Map(), revision: '' };
  const tell = (votos: number) => told({ ...others, games: [buildGame({ votos })] });
  return { left, live, tell, watch };
}

const TIMES = { opensAt: undefined, closesAt: undefined };

test('V10 viewers get no event if the standings are the same', () => {
  const { tell, watch } = setUp();
  const { seen } = watch();
  for (const votos of [1, 1, 2]) tell(votos);
  const events = seen.filter((frame) => frame.startsWith('data:'));
  expect(events.map((frame) => frame.includes('"votos":2'))).toEqual([false, true]);
});

test('L6 P4 it leaves the view with its last viewer, and once it is closed, each is ended', () => {
  const { left, live, watch } = setUp();
  const [first, second] = [watch(), watch()];
  first.leave();
  expect(left).not.toHaveBeenCalled();
  second.leave();
  expect(left).toHaveBeenCalledOnce();
  const third = watch();
  live.close();
  expect([third.end, watch().end].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(live.viewers()).toBe(0);
});
