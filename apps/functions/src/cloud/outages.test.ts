import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished } from 'vitest';
import { createTestClock, settled } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { firestoreHost, testWithFirestore } from '../../testing/firestore.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

/** A server whose connection to Firestore goes through a proxy. Its clock is the test's. */
async function startBehindProxy() {
  const clock = createTestClock();
  const proxy = await startTcpProxy(firestoreHost);
  onTestFinished(proxy.close);
  const nominees = [buildNominee({ id: 'game' })];
  const appHost = `127.0.0.1:${proxy.port}`;
  const server = await startCloudServer({ nominees, appHost, clock, writeIntervalMs: 0 });
  return { ...server, clock, proxy };
}

testWithFirestore('V1 V3 votes count once when the replies to their commits are lost', async () => {
  const { clock, proxy, send, tally, vote } = await startBehindProxy();
  await send('GET', '/goty');
  for (let round = 0; round < 3; round += 1) {
    proxy.loseNextReply();
    const votes = Array.from({ length: 10 }, (_, index) => vote('game', `${round}-${index}`));
    for (const { status } of await settled(Promise.all(votes), clock)) expect(status).toBe(200);
  }
  expect(proxy.lost()).toBe(3);
  expect(await tally()).toEqual({ counted: 30, ballots: 30 });
});

testWithFirestore(
  'G5 while Firestore hangs for half a minute, votes are 503 after 8 s, and count once when retried',
  async () => {
    const { clock, proxy, send, tally, vote } = await startBehindProxy();
    expect((await settled(vote('game', 'before'), clock)).status).toBe(200);

    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    proxy.hold();
    for (let round = 0; round < 4; round += 1) {
      const group = keys.slice(round * 10, round * 10 + 10);
      const votes = Promise.all(group.map((key) => vote('game', key)));
      for (const response of await settled(votes, clock, 1_000)) {
        expect([response.status, await response.json()]).toEqual([
          503,
          { ok: false, mensaje: apiTexts.timedOut },
        ]);
      }
    }
    expect((await send('GET', '/goty')).status).toBe(200);
    expect((await settled(send('GET', '/health'), clock, 1_000)).status).toBe(503);
    expect(clock.elapsed()).toBeGreaterThan(30_000);
    proxy.release();

    const counted = keys.map((key) => untilCounted(() => vote('game', key)));
    await settled(Promise.all(counted), clock);
    expect(await tally()).toEqual({ counted: 41, ballots: 41 });
  },
);

/** Retries a vote while its response is 503. */
async function untilCounted(send: () => Promise<Response>): Promise<void> {
  const { status } = await send();
  if (status === 503) return untilCounted(send);
  expect(status).toBe(200);
}
