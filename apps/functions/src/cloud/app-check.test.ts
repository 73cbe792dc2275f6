import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { refusal } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { describeWithFirestore } from '../../testing/firestore.ts';

const NOMINEES = [buildNominee({ id: 'a' })];
const GOOD = { 'X-Firebase-AppCheck': 'good' };

async function verifyToken(token: string) {
  if (token !== 'good') throw new Error('the token has expired');
}

describeWithFirestore('App Check, with the Firestore emulator', () => {
  test('F11 if it is on, only votes with a valid token count', async () => {
    const { log, send, tally } = await startCloudServer({ nominees: NOMINEES, verifyToken });
    for (const headers of [{}, { 'X-Firebase-AppCheck': '' }, { 'X-Firebase-AppCheck': 'bad' }]) {
      const refused = await send('POST', '/goty/a', headers);
      expect([refused.status, await refused.json()]).toEqual([401, refusal(apiTexts.unverified)]);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
    expect(await tally()).toEqual({ counted: 0, ballots: 0 });

    expect((await send('POST', '/goty/a', GOOD)).status).toBe(200);
    expect(await tally()).toEqual({ counted: 1, ballots: 1 });
    expect(log.lines).toHaveLength(1);
    // Reading needs none.
    expect((await send('GET', '/goty')).status).toBe(200);
    expect((await send('GET', '/api/health')).status).toBe(200);
  });

  test('F11 if the keys of App Check cannot be fetched, a vote is 503, and the log says why', async () => {
    const verifyWithoutKeys = () =>
      Promise.reject(new Error('Error fetching Json Web Keys: socket hang up'));
    const options = { nominees: NOMINEES, verifyToken: verifyWithoutKeys };
    const { log, send, tally } = await startCloudServer(options);
    const vote = await send('POST', '/goty/a', GOOD);
    expect([vote.status, await vote.json()]).toEqual([503, refusal(apiTexts.unavailable)]);
    expect(log.lines[0]).toContain('socket hang up');
    expect(await tally()).toEqual({ counted: 0, ballots: 0 });
  });

  test('F11 G5 a vote whose token is not judged within 8 s is 503', async () => {
    const clock = createTestClock();
    const asked = Promise.withResolvers<void>();
    const { send } = await startCloudServer({
      nominees: NOMINEES,
      clock,
      verifyToken() {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const vote = send('POST', '/goty/a', GOOD);
    await asked.promise;
    await clock.advance(8_000);
    expect((await vote).status).toBe(503);
  });
});
