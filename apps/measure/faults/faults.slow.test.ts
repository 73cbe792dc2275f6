import { describeWithFirestore, firestoreHost } from '@goty/functions/testing/firestore';
import { describe, test } from 'vitest';
import { cloudFaults, STANDALONE_FAULTS } from './all-faults.ts';
import { type Scenario, SHORT } from './scenario.ts';

/** The standalone home on Windows has neither signals nor limits. */
const describeOnPosix = describe.skipIf(process.platform === 'win32');

describeOnPosix('the standalone home', () => testEach(STANDALONE_FAULTS));
describeWithFirestore('the cloud home', () => testEach(cloudFaults(firestoreHost)));

/** Beside each other, since most of them wait most of the time. */
function testEach(scenarios: readonly Scenario[]) {
  test.concurrent.each(scenarios)(
    'V1 V2 V3 no vote is lost or counted twice: $title',
    async ({ run }) => {
      await run(SHORT);
    },
  );
}
