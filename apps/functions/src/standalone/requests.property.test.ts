import { connect } from 'node:net';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { SEED } from '@goty/shared/testing/seed';
import { apiTexts } from '@goty/shared/texts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';
import { receivedOn } from '../../testing/http.ts';

const CONNECTIONS = 30;
const TIMEOUT_MS = 400;
/** It is answered last, and ends the connection, unless one before it did. */
const LAST = 'GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 70 }),
  fc.constantFrom('', ' ', '\0', '..', '%2e%2e', '%', '%ff', '__proto__', '\r\n', 'a'.repeat(65)),
);
const method = fc.oneof(
  fc.constantFrom('POST', 'POST', 'GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'get'),
  text,
);
const path = fc.oneof(
  fc.constantFrom('/api/goty/hades-2', '/api/goty', '/api/health', '/api', '*'),
  text.map((id) => `/api/goty/${id}`),
  text.map((id) => `/api/goty/${encodeURIComponent(id.toWellFormed())}`),
  text,
);
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      ...[IDEMPOTENCY_KEY, 'Content-Type', 'Content-Encoding', 'Transfer-Encoding', 'Cookie'],
      ...['Content-Length', 'Host', 'Origin', 'Sec-Fetch-Site', 'Expect', 'Upgrade', 'Range'],
      ...['X-Forwarded-For', 'Connection', 'Accept-Encoding', 'If-None-Match'],
    ),
    fc.oneof(text, fc.constantFrom('gzip', 'chunked', '5', '-1', '1e9', '100-continue', 'close')),
  ),
  fc.tuple(text, text),
);
const body = fc.oneof(
  fc.constantFrom('', '{}', '[]', 'null', '{"a":', '5\r\nhello\r\n0\r\n\r\n', 'x'.repeat(2_000)),
  fc.json(),
  text,
);

const vote = fc
  .uuid()
  .map((key) => `POST /api/goty/hades-2 HTTP/1.1\r\nHost: a\r\n${IDEMPOTENCY_KEY}: ${key}\r\n\r\n`);
const anything = fc
  .record({
    method,
    path,
    headers: fc.array(header, { maxLength: 2 }),
    body,
    isMeasured: fc.boolean(),
  })
  .map(({ method, path, headers, body, isMeasured }) =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: a',
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(isMeasured && body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
      '',
      body,
    ].join('\r\n'),
  );
const request = fc.oneof(vote, anything);
/** A pipeline, and how many bytes of it are sent at a time. */
const connection = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  chunk: fc.constantFrom(1, 7, 100, 100_000),
});

test('B9 B11 V2 whatever is sent: never a 5xx, HTML or a stack, and no vote without its answer', async () => {
  const { port, log, server, votos } = await startApiServer();
  Object.assign(server, { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS });
  let confirmed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(connection, { minLength: CONNECTIONS, maxLength: CONNECTIONS }),
      async (all) => {
        const received = await Promise.all(
          all.map(({ requests, chunk }) => exchange(port, [...requests, LAST].join(''), chunk)),
        );
        for (const responses of received) {
          expect(responses).not.toMatch(/^HTTP\/1.1 5/m);
          expect(responses).not.toMatch(/<html|<!doctype|<pre|node_modules|\n {4}at |\.ts:\d/i);
          confirmed += responses.split(apiTexts.counted('Hades II')).length - 1;
        }
        expect((await votos())['hades-2']).toBeLessThanOrEqual(confirmed);
      },
    ),
    { seed: SEED, numRuns: 12 },
  );
  expect(confirmed).toBeGreaterThan(10);
  // Refusals of pages of other sites are told, and what a minute had; no error is.
  const expected = /^(Votes that pages of other sites send are refused|Traffic of \d+ s: )/;
  expect(log.lines.filter((line) => !expected.test(line))).toEqual([]);
});

/** Sends bytes, a chunk at a time. Resolves with all that came when the server has ended it. */
async function exchange(port: number, sent: string, chunk: number): Promise<string> {
  const bytes = Buffer.from(sent);
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const received = receivedOn(socket);
  for (let at = 0; at < bytes.length && socket.writable; at += chunk) {
    socket.write(bytes.subarray(at, at + chunk));
    if (at < 50 * chunk) await new Promise(setImmediate);
  }
  return received;
}
