import { get } from 'node:http';
import { buildGame } from '@goty/shared/testing/nominee';
import { expect, onTestFinished, test } from 'vitest';
import { startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';

test('L7 L5 a stream that ends while an event waits is ended without another', async () => {
  const clock = createTestClock();
  const games = async () => [buildGame({ name: 'x'.repeat(8_000_000) })];
  const { port, hub } = await startApiServer({ clock, wrap: (store) => ({ ...store, games }) });
  const watch = async () => {
    const request = get({ port, path: '/api/goty/live', agent: false });
    onTestFinished(() => void request.destroy());
    return responseTo(request);
  };
  const [stays, leaves] = [await watch(), await watch()];
  for (let change = 0; change < 3; change += 1) {
    hub.changed();
    await clock.advance(100);
  }
  leaves.destroy();
  hub.close();
  let frames = 0;
  for await (const chunk of stays.setEncoding('utf8')) frames += chunk.split('data:').length - 1;
  expect(frames).toBe(1);
});
