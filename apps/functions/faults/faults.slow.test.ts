import { describe, expect, test } from 'vitest';
import { describeWithFirestore, firestoreHost } from '../testing/firestore.ts';
import { CROWDS, cloudCrowds } from './crowd-faults.ts';
import { firestoreFaults } from './firestore-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { lineOf, rowOf } from './report.ts';
import { type Scenario, SHORT } from './scenario.ts';
import { SQLITE_FAULTS } from './sqlite-faults.ts';

const STANDALONE = [...PROCESS_FAULTS, ...SQLITE_FAULTS, ...NETWORK_FAULTS, ...CROWDS];
const CLOUD = [...firestoreFaults(firestoreHost), ...cloudCrowds(firestoreHost)];
/** The standalone home on Windows has neither signals nor limits. */
const describeOnPosix = describe.skipIf(process.platform === 'win32');

describeOnPosix('the standalone home', () => testEach(STANDALONE));
describeWithFirestore('the cloud home', () => testEach(CLOUD));

function testEach(scenarios: readonly Scenario[]) {
  test.each(scenarios)(
    'V1 V2 V3 no vote is lost or counted twice: $home, $fault',
    async (scenario) => {
      const row = await rowOf(scenario, SHORT);
      expect(row.failures, lineOf(row)).toEqual([]);
    },
  );
}
