import { revisionOf } from '@goty/shared/nominee';
import { parseNominees, parseStatus } from '@goty/shared/parse';
import { API_PATHS, STATUS_POLL_MS } from '@goty/shared/protocol';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { describeWithFirestore } from '../../testing/firestore.ts';
import { createFirestoreStore } from './firestore-store.ts';

const NOMINEES = [buildNominee({ id: 'game-0' }), buildNominee({ id: 'game-1' })];

describeWithFirestore('the status in the cloud home', () => {
  test('N5 a change reaches a page that asks for the status within 10 s, and costs few reads', async () => {
    const clock = createTestClock();
    let questions = 0;
    const { firestore, log, send } = await startCloudServer({
      nominees: NOMINEES,
      clock,
      wrap: (store) => ({
        ...store,
        state() {
          questions += 1;
          return store.state();
        },
      }),
    });
    /** What the CDN has: it asks the Function once its copy is too old. */
    let copy = { until: 0, nominees: '' };
    const readStatus = async () => {
      if (clock.now() >= copy.until) {
        const response = await send('GET', '/api/status');
        const [, seconds] =
          /s-maxage=(\d+)/.exec(response.headers.get('cache-control') ?? '') ?? [];
        const { nominees = '' } = parseStatus(await response.json()) ?? {};
        copy = { until: clock.now() + Number(seconds) * 1_000, nominees };
      }
      return copy.nominees;
    };
    const operator = createFirestoreStore({ firestore, log });
    let shown = await readStatus();
    for (const phase of [0, 1_000, 1_999]) {
      // Another page asks at any time, and what it gets is kept.
      await clock.advance(phase);
      await readStatus();
      await operator.setNominees([buildNominee({ id: 'game-1', name: `Name ${phase}` })]);
      let waited = 0;
      while ((await readStatus()) === shown) {
        await clock.advance(STATUS_POLL_MS);
        waited += STATUS_POLL_MS;
      }
      shown = copy.nominees;
      const list = await send('GET', `/api${API_PATHS.nomineesOf(shown)}`);
      expect(list.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
      expect(revisionOf(parseNominees(await list.json()) ?? [])).toBe(shown);
      expect(waited).toBeLessThanOrEqual(8_000);
    }
    expect(questions).toBeLessThanOrEqual(clock.now() / 3_000 + 2);
  });
});
