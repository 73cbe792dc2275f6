import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';

function refusal(mensaje: string) {
  return { ok: false, mensaje };
}

test.each([{ Expect: 'a-miracle' }, { Range: 'bytes=9-' }, { 'If-Match': '"x"' }])(
  'B8 a vote with the header %j counts',
  async (headers) => {
    const { send } = await startApiServer();
    expect((await send('POST', '/api/goty/hades-2', headers)).status).toBe(200);
  },
);

test.each([
  ['a request that is not HTTP', 'hello\r\n\r\n', 400],
  ['a request with oversized headers', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('B8 %s is answered in JSON', async (_what, sent, status) => {
  const { port } = await startApiServer();
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual(refusal(apiTexts.badRequest));
});

test('B8 a request without Host is handled like any other', async () => {
  const { port } = await startApiServer();
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /api/goty/unknown HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toContain(apiTexts.unknownGame);
});
