import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { refusal } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { receivedOn, replyTo } from '../../testing/http.ts';
import { portOf } from '../standalone/server.ts';
import { createCors, guardBodies } from './body-guard.ts';

test('B12 under the framework half a body is 408 after 10 s, in JSON', async () => {
  const answer = vi.fn((_request, response) => response.json({}));
  http('api', answer);
  const server = getTestServer('api').listen(0);
  onTestFinished(() => void server.close());
  const clock = createTestClock();
  guardBodies(createCors('*'), clock);
  const headers = { 'Content-Length': '2' };
  const sent = request({ port: portOf(server), method: 'POST', path: '/goty/a', headers });
  const answered = vi.fn();
  const reply = replyTo(sent).finally(answered);
  sent.write('{');
  await once(server, 'request');
  await clock.advance(9_999);
  expect(answered).not.toHaveBeenCalled();
  await clock.advance(1);
  const { headers: received, answer: told } = await reply;
  expect(told).toEqual([408, refusal(apiTexts.requestTimeout)]);
  expect([received.connection, received['cache-control']]).toEqual(['close', 'private, no-store']);
  expect(answer).not.toHaveBeenCalled();
});

test('B3 under the framework, who writes all of a large body before reading gets 413 and no reset', async () => {
  // On a slow machine, writing takes longer than the second for which the server reads on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  http('api', (_request, response) => response.json({}));
  const server = getTestServer('api').listen(0);
  onTestFinished(() => void server.close());
  guardBodies(createCors('*'), createTestClock());
  const piece = 'x'.repeat(60_000);
  const socket = connect(portOf(server), '127.0.0.1');
  socket.write(`POST /goty/a HTTP/1.1\r\nHost: a\r\nContent-Length: ${10 * piece.length}\r\n\r\n`);
  for (let sent = 0; sent < 10; sent += 1) {
    const error = new Promise((written) =>
      socket.write(piece, (error) => setImmediate(written, error)),
    );
    expect(await error).toBeFalsy();
  }
  expect(await receivedOn(socket)).toContain(apiTexts.bodyTooLarge);
});
