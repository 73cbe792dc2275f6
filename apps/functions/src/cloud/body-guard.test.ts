import { once } from 'node:events';
import { request } from 'node:http';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { refusal } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { exchange, replyTo } from '../../testing/http.ts';
import { portOf } from '../standalone/server.ts';
import { createCors, guardBodies } from './body-guard.ts';

/** The Functions framework's own server, with a guard whose time the test moves. */
async function startGuarded() {
  const answer = vi.fn((_request, response) => response.json({}));
  http('api', answer);
  const server = getTestServer('api').listen(0);
  onTestFinished(() => void server.close());
  const clock = createTestClock();
  guardBodies(createCors('*'), clock);
  return { answer, clock, server, port: portOf(server) };
}

test('B12 under the framework half a body is 408 after 10 s, in JSON', async () => {
  const { answer, clock, port, server } = await startGuarded();
  const headers = { 'Content-Length': '2' };
  const sent = request({ port, method: 'POST', path: '/goty/a', headers });
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

test.each(['GET', 'POST', 'OPTIONS'])(
  'B17 under the framework %s of a target that is no path is 404 in JSON',
  async (method) => {
    const { port } = await startGuarded();
    const { answer } = await exchange({ port, method, path: '*' });
    expect(answer).toEqual([404, refusal(apiTexts.notFound)]);
  },
);
