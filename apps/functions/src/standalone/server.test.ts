import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { receivedOn, serveApp } from '../../testing/http.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';

const LARGE = 'x'.repeat(2_000);
const HOST = 'Host: a';
const CLOSE = 'Connection: close';

/** The bytes of a request without a body. */
function bytes(line: string, ...headers: readonly string[]) {
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}

function vote(headers: readonly string[] = [], body = '') {
  return `${bytes('POST /api/goty/hades-2', HOST, ...headers)}${body}`;
}

function sendBytes(port: number, bytes: string, allowHalfOpen = false) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return socket;
}

/** The status and body of each response, up to the end of the connection. All have our headers. */
async function responsesOn(socket: ReturnType<typeof connect>) {
  const received = await text(socket);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    const count = received.split(`\r\n${name}: ${value}\r\n`).length;
    expect([name, count]).toEqual([name, received.split('HTTP/1.1 ').length]);
  }
  return [...received.matchAll(/HTTP\/1.1 (\d+)(?:.|\r|\n)*?\r\n\r\n(\{.*?\})/g)].map(
    ([, status, body = '']) => [Number(status), JSON.parse(body)],
  );
}

test.each([
  ['a request that is not HTTP', 400, 'badRequest', 'hello\r\n\r\n'],
  ['one with oversized headers', 431, 'badRequest', bytes('GET /', `A: ${'x'.repeat(20_000)}`)],
  ['one without Host', 404, 'unknownGame', bytes('POST /api/goty/unknown', CLOSE)],
  ['an unknown expectation', 404, 'notFound', bytes('GET /', HOST, 'Expect: a-miracle', CLOSE)],
  ['a request with two Host headers', 400, 'badRequest', vote(['host: b'])],
  ['CONNECT', 400, 'badRequest', bytes('CONNECT evil.example:443', HOST)],
  ['a target without a host', 400, 'badRequest', bytes('GET http://', HOST)],
  ['a malformed target', 400, 'badRequest', bytes('GET http://[', HOST)],
  ['a target that is no path', 404, 'notFound', bytes('POST *', HOST, CLOSE)],
  ['a target of another protocol', 400, 'badRequest', bytes('GET foo://a', HOST)],
] as const)(
  'B8 B17 W17 %s is %d in JSON with all headers, and counts nothing',
  async (...given) => {
    const [, status, text, sent] = given;
    const { calls, port } = await startApiServer();
    expect(await responsesOn(sendBytes(port, sent))).toEqual([[status, refusal(apiTexts[text])]]);
    expect(calls().commit).toBe(0);
  },
);

test.each([
  ['a body', vote(['Content-Length: 2'], '{')],
  ['a header', 'POST /api/goty/hades-2 HTTP/1.1\r\nHost: a\r\nContent-'],
])('B12 a request is 408 if the rest of %s does not arrive in time', async (_what, sent) => {
  const { calls, port, log, server } = await startApiServer();
  Object.assign(server, { requestTimeout: 50, headersTimeout: 50 });
  const responses = await responsesOn(sendBytes(port, sent));
  expect(responses).toEqual([[408, refusal(apiTexts.requestTimeout)]]);
  expect(calls().commit).toBe(0);
  expect(log.lines).toEqual([]);
});

const PIECE = 'x'.repeat(60_000);
const PIECES = 10;
/** Gives the server its turn. Resolves with the error, if there is one. */
const write = (socket: Socket, bytes: string) =>
  new Promise<unknown>((written) => socket.write(bytes, (error) => setImmediate(written, error)));

test.each([
  ['a large body', 413, vote([`Content-Length: ${PIECES * PIECE.length}`])],
  [
    'one that is encoded',
    415,
    vote([`Content-Length: ${PIECES * PIECE.length}`, 'Content-Encoding: gzip']),
  ],
  ['one in chunks', 413, `${vote(['Transfer-Encoding: chunked'])}${PIECE.length.toString(16)}\r\n`],
  [
    'one that is refused unread',
    400,
    vote([`Content-Length: ${PIECES * PIECE.length}`, CLOSE, `${IDEMPOTENCY_KEY}: ñ`]),
  ],
  ['headers', 431, `${vote().trimEnd()}\r\nA: `],
  ['no HTTP', 400, 'hello\r\n\r\n'],
])(
  'B3 B8 B11 who writes all of %s before reading gets %d and no reset',
  async (_what, status, head) => {
    // On a slow machine, writing takes longer than the second for which the server reads on.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port, votos } = await startApiServer();
    const socket = sendBytes(port, head);
    const isChunked = head.includes('chunked');
    for (let piece = 1; piece <= PIECES; piece += 1) {
      const end = piece < PIECES ? `\r\n${PIECE.length.toString(16)}\r\n` : '\r\n0\r\n\r\n';
      expect(await write(socket, `${PIECE}${isChunked ? end : ''}`)).toBeFalsy();
    }
    expect((await responsesOn(socket)).map(([status]) => status)).toEqual([status]);
    expect(await votos()).toMatchObject({ 'hades-2': 0 });
  },
);

test.each([
  ['a body', vote([`Content-Length: ${1e9}`])],
  ['a malformed request', 'hello\r\n\r\n'],
])('B3 B8 who goes on writing %s, or does not end it, is closed', async (_what, head) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port, server } = await startApiServer();
  const connections = () => promisify(server.getConnections.bind(server))();
  const endless = sendBytes(port, head);
  endless.on('error', () => {});
  while (!endless.destroyed) await write(endless, PIECE);
  await expect.poll(connections).toBe(0);

  const silent = sendBytes(port, head, true);
  await once(silent, 'data');
  expect(await connections()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(connections).toBe(0);
});

/** A vote after which another can follow on the connection. */
const FIRST = vote(['Content-Length: 2'], '{}');
/** Votes, the first of which counts as soon as it is handled. */
const BEHIND = `${vote()}${FIRST}`;

test.each([
  [
    'the requests of a pipeline are answered in order',
    `${vote()}${vote().replace('hades-2', 'unknown')}${FIRST}${vote([CLOSE])}`,
    [200, 404, 200, 200],
    3,
  ],
  ['a vote is answered before the malformed request behind it', `${FIRST}hello`, [200, 400], 1],
  [
    'what follows a request for another protocol is not read',
    vote(['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 2'], `{}${BEHIND}`),
    [200],
    1,
  ],
  [
    'what follows a large body is not read',
    vote([`Content-Length: ${LARGE.length}`], `${LARGE}${BEHIND}`),
    [413],
    0,
  ],
])('B11 %s', async (_what, sent, statuses, counted) => {
  const { port, votos } = await startApiServer();
  const responses = await responsesOn(sendBytes(port, `${sent}\r\n\r\n`));
  expect(responses.map(([status]) => status)).toEqual(statuses);
  expect(await votos()).toMatchObject({ 'hades-2': counted });
});

test.each([
  ['a vote, which cannot be answered,', vote()],
  ['a malformed request', 'hello\r\n\r\n'],
])('B11 %s behind a stream does not count, and the stream goes on', async (_what, behind) => {
  const { port, send, votos } = await startApiServer();
  const socket = sendBytes(port, `${bytes('GET /api/goty/live', HOST)}${behind}`);
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    if (!received.includes('data: [') && chunk.includes('data: [')) {
      await send('POST', '/api/goty/hades-2');
    }
    received += chunk;
    if (received.includes('"votos":1')) break;
  }
  expect(received.match(/HTTP/g)).toHaveLength(1);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('B11 of too many requests in flight on a connection the first are answered, and the rest refused', async () => {
  const { port, votos } = await startApiServer();
  const responses = await responsesOn(sendBytes(port, vote().repeat(500)));
  const { 'hades-2': counted } = await votos();
  expect(counted).toBeLessThan(500);
  expect(responses.map(([status]) => status)).toEqual([...Array(counted).fill(200), 503]);
});

test('P4 a server that stops closes connections whose request is not whole, and answers the others', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { app, calls } = await startApiServer({
    wrap: (store) => ({ ...store, commit: (...group) => held.then(() => store.commit(...group)) }),
  });
  const clock = createTestClock();
  const { port, stop } = await serveApp(app, clock);
  const whole = responsesOn(sendBytes(port, vote([CLOSE])));
  const unfinished = ['', 'POST /', vote(['Content-Length: 2'], '{')].map((sent) =>
    receivedOn(sendBytes(port, sent)),
  );
  await expect.poll(() => calls().commit).toBe(1);
  const closed = stop();
  await clock.advance(1_000);
  expect(await Promise.all(unfinished)).toEqual(['', '', '']);
  release();
  expect((await whole).map(([status]) => status)).toEqual([200]);
  await closed;
});

test('P4 a server that stops answers a vote whose body comes within a second', async () => {
  const { app, votos } = await startApiServer();
  const { port, received, stop } = await serveApp(app, createTestClock());
  const socket = sendBytes(port, vote([CLOSE, 'Content-Length: 2']), true);
  const responses = responsesOn(socket);
  await expect.poll(received).toBe(1);
  const closed = stop();
  socket.write('{}');
  expect((await responses).map(([status]) => status)).toEqual([200]);
  await closed;
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('P4 a server stops although a client reads nothing behind a CONNECT', async () => {
  const { app } = await startApiServer();
  const clock = createTestClock();
  const { port, stop } = await serveApp(app, clock);
  const [stream, behind] = ['GET /api/goty/live', 'CONNECT x:80'].map((line) => bytes(line, HOST));
  const socket = sendBytes(port, `${stream}${behind}`);
  await once(socket, 'data');
  const ended = receivedOn(socket);
  const closed = stop();
  await clock.advance(3_000);
  await Promise.all([closed, ended]);
});
