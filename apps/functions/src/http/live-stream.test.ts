import { get } from 'node:http';
import { buildGame } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HADES, LIVE, refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';
import type { StoredGame } from '../votes/ballot.ts';
import type { VoteStore } from '../votes/vote-store.ts';

/** Opens the live stream; `next` resolves with its next event, or 'end'. */
async function open(port: number, query = '') {
  const request = get({ port, path: `/api/goty/live${query}`, agent: false });
  onTestFinished(() => void request.destroy());
  const response = await responseTo(request);
  const chunks = response.setEncoding('utf8').iterator();
  let rest = '';
  const next = async (): Promise<string> => {
    // Joined once: an event of 8 MB comes in more than a hundred pieces.
    const pieces = [rest];
    while (!/\n\n/.test(pieces.slice(-2).join(''))) {
      const { value, done } = await chunks.next();
      if (done) return 'end';
      pieces.push(value);
    }
    const received = pieces.join('');
    const end = received.indexOf('\n\n') + 2;
    rest = received.slice(end);
    return received.slice(0, end);
  };
  return { response, next };
}

async function watch(port: number, query = '') {
  const viewer = await open(port, query);
  expect(await viewer.next()).toMatch(/^retry: /);
  expect(await viewer.next()).toMatch(/^data: /);
  return viewer;
}

function frame(votos: number) {
  const [hades, live] = [HADES, LIVE].map(({ id, name }) => ({ id, name, votos: 0 }));
  return `data: ${JSON.stringify([{ ...hades, votos }, live])}\nid: ${votos}\n\n`;
}

/** The event after a vote for the first of both games. */
function change(votos: number) {
  const { id, name } = HADES;
  return `event: change\ndata: ${JSON.stringify([{ id, name, votos }])}\nid: ${votos}\n\n`;
}

const EVENT_BYTES = 8_000_000;
/** Events of 96 MB: a system takes some 40 MB for a connection whose other end reads nothing. */
const MANY = 12;

/** A server whose standings soon fill every buffer between it and a viewer. */
async function startLargeServer() {
  const clock = createTestClock();
  const game = buildGame({ name: 'x'.repeat(EVENT_BYTES), votos: 0 });
  const state = { votos: 0 };
  const other = buildGame({ id: 'other', votos: 0 });
  const games = async () => [
    { ...game, votos: state.votos, writes: state.votos },
    { ...other, writes: 0 },
  ];
  const server = await startApiServer({ clock, wrap: (store) => ({ ...store, games }) });
  const change = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      state.votos += 1;
      server.view.committed({ counted: 1 });
      await clock.advance(100);
    }
  };
  const fallBehind = () => change(MANY);
  return { ...server, change, clock, fallBehind };
}

test('L1 L3 GET /goty/live sends the reconnection delay, the standings and each change to all', async () => {
  const { calls, port, send } = await startApiServer();
  const viewers = await Promise.all([open(port), open(port)]);
  const { next: nextChange } = await watch(port, '?changes');
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
  expect(await nextChange()).toBe(change(1));
  const before = calls().games;
  await send('POST', '/api/goty/hades-2', key);
  await send('POST', '/api/goty/hades-2');
  for (const { next } of viewers) expect(await next()).toBe(frame(2));
  expect(await nextChange()).toBe(change(2));
  expect(calls().games).toBe(before + 1);
  for (const query of ['', '?changes']) {
    const late = await open(port, query);
    await late.next();
    expect(await late.next()).toBe(frame(2));
  }
});

test('L1 where the games have changed, or one has another name, a stream of changes has all standings', async () => {
  const rows = { games: [{ ...HADES, votos: 1, writes: 1 }] };
  const { next, tell } = await watchRows(rows);
  rows.games = [{ ...HADES, name: 'Hades 2', votos: 1, writes: 1 }];
  await tell();
  expect(await next()).toBe(`data: [{"id":"hades-2","name":"Hades 2","votos":1}]\nid: 1\n\n`);
  rows.games = [...rows.games, { ...LIVE, votos: 0, writes: 0 }];
  await tell();
  expect(await next()).toContain(`data: [{"id":"hades-2","name":"Hades 2","votos":1},{"id":`);
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
  const { fallBehind, port } = await startLargeServer();
  const { next, response } = await watch(port, '?changes');
  response.pause();
  await fallBehind();
  response.resume();
  const events: string[] = [];
  while (!events.at(-1)?.includes(`"votos":${MANY}`)) events.push(await next());
  expect(events.length).toBeLessThan(MANY);
  // What was left out may have changed other games, so the newest standings come whole.
  expect(events.at(-1)).toMatch(/^data: .*"id":"other"/);
});

test('L4 L6 a viewer that fails while an event waits for it affects nobody else', async () => {
  const { change, fallBehind, port, server } = await startLargeServer();
  const gone = Promise.withResolvers<void>();
  server.once('connection', (socket) => socket.once('close', () => gone.resolve()));
  const fails = await watch(port);
  const stays = await watch(port);
  await fallBehind();
  fails.response.socket.resetAndDestroy();
  await gone.promise;
  await change(1);
  for (let frame = ''; !frame.includes(`"votos":${MANY + 1}`); ) frame = await stays.next();
});

/** A viewer of standings that the test writes, and a function that lets the server read them. */
async function watchRows(rows: { games: readonly StoredGame[] }) {
  const clock = createTestClock();
  const games = async () => rows.games;
  const { port, view } = await startApiServer({ clock, wrap: (store) => ({ ...store, games }) });
  const { next } = await watch(port, '?changes');
  return {
    next,
    tell() {
      view.committed({ counted: 1 });
      return clock.advance(100);
    },
  };
}

test('V10 viewers get no event if the standings are the same', async () => {
  let revision = 0;
  const wrap = (store: VoteStore) => ({
    ...store,
    // With each question, something else than the standings has changed.
    async state() {
      revision += 1;
      return { ...(await store.state()), revision };
    },
  });
  const { port, send, view } = await startApiServer({ wrap });
  const { next } = await watch(port, '?changes');
  const told = vi.fn();
  onTestFinished(view.subscribe(told));
  for (let time = 0; time < 3; time += 1) await view.refresh();
  expect(told.mock.calls.length).toBeGreaterThanOrEqual(1 + 3);
  await send('POST', '/api/goty/hades-2');
  expect(await next()).toBe(change(1));
});

test('L4 P4 a stream that ends while an event waits is ended without another', async () => {
  const { change, close, fallBehind, port } = await startLargeServer();
  const stays = await open(port);
  const leaves = await open(port);
  await fallBehind();
  await change(1);
  leaves.response.destroy();
  close();
  const events = [];
  for (let event = ''; event !== 'end'; events.push(event)) event = await stays.next();
  // Those that the connection had not taken yet, and not the newest, which waited.
  expect(events.join('')).toContain('data: [');
  expect(events.join('')).not.toContain(`"votos":${MANY + 1}`);
  expect(await (await open(port)).next()).toBe('end');
});

test('B9 L9 a stream that cannot be set up is ended and keeps no place, and the server goes on', async () => {
  const { log, port, view } = await startApiServer({ streams: { total: 1, perAddress: 1 } });
  vi.spyOn(view, 'subscribe').mockImplementationOnce(() => {
    throw new Error('no memory');
  });
  const { next } = await open(port);
  await expect(next().then(next)).rejects.toThrow('aborted');
  await watch(port);
  expect(log.lines).toEqual([expect.stringMatching(/^GET \/api\/goty\/live failed: .*no memory/)]);
});

test('L6 L9 a viewer that takes nothing for a minute is disconnected, and without any nothing is read', async () => {
  const { calls, change, clock, fallBehind, port } = await startLargeServer();
  const { response } = await watch(port);
  response.pause();
  await fallBehind();
  await clock.advance(59_000);
  const before = calls().games;
  await change(1);
  expect(calls().games).toBe(before + 1);
  await clock.advance(16_000);
  await change(1);
  expect(calls().games).toBe(before + 1);
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
