import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';
import { responseTo } from '../../testing/http.ts';

function refusal(mensaje: string) {
  return { ok: false, mensaje };
}

const LARGE = JSON.stringify({ text: 'x'.repeat(1_024) });

test.each([
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'application/json' }, '{"a":'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'application/json' }, '"text"'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'application/json' }, 'null'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'application/json' }, '[]'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'text/plain' }, 'hola'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=1'],
  ['B3', 400, apiTexts.badBody, {}, '<xml/>'],
  ['B3', 415, apiTexts.unsupportedMedia, { 'Content-Encoding': 'zstd-2' }, '{}'],
  ['B3', 415, apiTexts.unsupportedMedia, { 'Content-Encoding': 'gzip' }, '{}'],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Content-Type': 'application/json' }, LARGE],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Content-Type': 'text/plain' }, LARGE],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Content-Type': 'image/png' }, LARGE],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Transfer-Encoding': 'chunked' }, LARGE],
])(
  '%s a vote is %i "%s" with headers %j and body %s',
  async (_id, code, mensaje, headers, sent) => {
    const { calls, log, send, votos } = await startApiServer();
    const { status, body } = await send('POST', '/api/goty/hades-2', headers, sent);
    expect([status, JSON.parse(body)]).toEqual([code, refusal(mensaje)]);
    expect(calls.commit).toBe(0);
    expect(log.lines).toEqual([]);
    expect(await votos()).toMatchObject({ 'hades-2': 0 });
  },
);

test.each([
  ['a body with a large Content-Length', { 'Content-Length': '500000000' }],
  ['a large chunked body', { 'Transfer-Encoding': 'chunked' }],
])('B4 %s is refused before it has arrived', async (_what, headers) => {
  const { port } = await startApiServer();
  const request = httpRequest({ port, method: 'POST', path: '/api/goty/hades-2', headers });
  request.on('error', () => {}); // the server stops reading and closes the connection
  request.write('x'.repeat(2_000));
  const response = await responseTo(request);
  expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
  request.destroy();
});

test('B4 a disconnect in the middle of the body counts nothing', async () => {
  const { calls, log, port, send, server, votos } = await startApiServer();
  const arrived = once(server, 'request');
  const headers = { 'Content-Length': '10' };
  const request = httpRequest({ port, method: 'POST', path: '/api/goty/hades-2', headers });
  request.on('error', () => {});
  request.write('{');
  const [received, response] = await arrived;
  const closed = once(response, 'close');
  request.destroy();
  await closed;
  expect(received.complete).toBe(false);
  // A vote would be committed before the response to a later request.
  await send('GET', '/api/goty');
  expect(calls.commit).toBe(0);
  expect(await votos()).toMatchObject({ 'hades-2': 0 });
  expect(log.lines).toEqual([]);
});
