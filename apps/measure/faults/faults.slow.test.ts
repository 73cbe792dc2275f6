import { describeWithFirestore, firestoreHost } from '@goty/functions/testing/firestore';
import { describe, test } from 'vitest';
import { CLOUD } from './cloud-faults.ts';
import { type Scenario, SHORT } from './scenario.ts';
import { STANDALONE } from './standalone-faults.ts';

// The standalone home on Windows has neither signals nor limits.
// The longest come last in the tables: begun first, they do not keep the others waiting.
describe.skipIf(process.platform === 'win32')('the standalone home', () =>
  testEach(STANDALONE.toReversed()),
);
// Not beside the other home: its instances are in this process, which those scenarios keep busy.
describeWithFirestore('the cloud home', () => testEach(CLOUD.toReversed()));

/** Beside each other, since most of them wait most of the time. */
function testEach(scenarios: readonly Scenario[]) {
  test.concurrent.each(scenarios)(
    'V1 V2 V3 no vote is lost or counted twice: $title',
    async ({ run }) => {
      await run(SHORT, firestoreHost);
    },
  );
}
