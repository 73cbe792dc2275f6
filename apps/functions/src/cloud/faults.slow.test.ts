import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test } from 'vitest';
import { findFirestore } from '../../emulators/firestore-emulator.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { firestoreHost, testWithFirestore } from '../../testing/firestore.ts';
import { freePort } from '../../testing/free-port.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const NOMINEES = [buildNominee({ id: 'game' })];

testWithFirestore(
  'V1 V3 votes count once when the replies to their commits are lost',
  async () => {
    const proxy = await startTcpProxy(firestoreHost);
    onTestFinished(proxy.close);
    const { send, tally, vote } = await startCloudServer({
      nominees: NOMINEES,
      appHost: `127.0.0.1:${proxy.port}`,
    });
    await send('GET', '/goty');
    let acknowledged = 0;
    for (let round = 0; round < 5; round += 1) {
      proxy.loseNextReply();
      const votes = Array.from({ length: 10 }, (_, index) => vote('game', `${round}-${index}`));
      for (const { status } of await Promise.all(votes)) if (status === 200) acknowledged += 1;
    }
    expect(proxy.lost()).toBe(5);
    expect({ acknowledged, ...(await tally()) }).toEqual({
      acknowledged: 50,
      counted: 50,
      ballots: 50,
    });
  },
  60_000,
);

// Only an emulator that the test starts itself can be suspended.
const firestoreSource = findFirestore();

test.skipIf(firestoreSource.state !== 'startable')(
  'G5 while Firestore hangs for 30 s, votes are 503 within 9 s, and count once when retried',
  async () => {
    if (firestoreSource.state !== 'startable') throw new Error(firestoreSource.state);
    const port = await freePort();
    const firestore = firestoreSource.start(port);
    onTestFinished(firestore.stop);
    await firestore.ready;
    const { send, tally, vote } = await startCloudServer({
      nominees: NOMINEES,
      host: `127.0.0.1:${port}`,
    });
    expect((await vote('game', 'before')).status).toBe(200);

    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    firestore.signal('SIGSTOP');
    const suspendedAt = performance.now();
    for (let round = 0; round < 4; round += 1) {
      const sentAt = performance.now();
      const group = keys.slice(round * 10, round * 10 + 10);
      const responses = await Promise.all(group.map((key) => vote('game', key)));
      expect(performance.now() - sentAt).toBeLessThan(9_000);
      for (const response of responses) {
        expect([response.status, await response.json()]).toEqual([
          503,
          { ok: false, mensaje: apiTexts.timedOut },
        ]);
      }
    }
    expect((await send('GET', '/goty')).status).toBe(200);
    expect((await send('GET', '/health')).status).toBe(503);
    expect(performance.now() - suspendedAt).toBeGreaterThan(30_000);
    firestore.signal('SIGCONT');

    const acknowledged = await Promise.all(
      keys.map((key) => untilCounted(() => vote('game', key))),
    );
    expect(acknowledged).toHaveLength(40);
    expect(await tally()).toEqual({ counted: 41, ballots: 41 });
  },
  120_000,
);

/** Retries a vote while its response is 503. */
async function untilCounted(send: () => Promise<Response>): Promise<void> {
  const { status } = await send();
  if (status === 503) return untilCounted(send);
  expect(status).toBe(200);
}
