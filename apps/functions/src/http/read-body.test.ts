import { request as httpRequest } from 'node:http';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal, startApiServer } from '../../testing/api-server.ts';
import { responseTo } from '../../testing/http.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LARGE = JSON.stringify({ text: 'x'.repeat(1_024) });

test.each([
  ['B3', 400, apiTexts.badBody, JSON_TYPE, '{"a":'],
  ['B3', 400, apiTexts.badBody, JSON_TYPE, '"text"'],
  ['B3', 400, apiTexts.badBody, JSON_TYPE, 'null'],
  ['B3', 400, apiTexts.badBody, JSON_TYPE, '[]'],
  ['B3', 400, apiTexts.badBody, { 'Content-Type': 'text/plain' }, 'hola'],
  ['B3', 400, apiTexts.badBody, {}, '<xml/>'],
  ['B3', 415, apiTexts.unsupportedMedia, { 'Content-Encoding': 'gzip' }, '{}'],
  ['B4', 413, apiTexts.bodyTooLarge, JSON_TYPE, LARGE],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Content-Type': 'text/plain' }, LARGE],
  ['B4', 413, apiTexts.bodyTooLarge, { 'Transfer-Encoding': 'chunked' }, LARGE],
])(
  '%s a vote is %i "%s" with headers %j and body %s',
  async (_id, code, mensaje, headers, sent) => {
    const { calls, log, send } = await startApiServer();
    const { answer } = await send('POST', '/api/goty/hades-2', headers, sent);
    expect(answer).toEqual([code, refusal(mensaje)]);
    expect([calls().commit, log.lines]).toEqual([0, []]);
  },
);

test.each([{ 'Content-Length': '500000000' }, { 'Transfer-Encoding': 'chunked' }])(
  'B4 a large body with %j is refused before it has arrived',
  async (headers) => {
    const { port } = await startApiServer();
    const request = httpRequest({ port, method: 'POST', path: '/api/goty/hades-2', headers });
    request.on('error', () => {}); // the server stops reading and closes the connection
    request.write('x'.repeat(2_000));
    const response = await responseTo(request);
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    request.destroy();
  },
);
