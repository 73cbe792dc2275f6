import { firestoreHost, testWithFirestore } from '@goty/functions/testing/firestore';
import { test } from 'vitest';
import { CLOUD, STANDALONE } from './all-faults.ts';
import { SHORT } from './scenario.ts';

const TITLE = 'V1 V2 V3 no vote is lost or counted twice: $title';
/** The standalone home on Windows has neither signals nor limits. */
const testOnPosix = test.skipIf(process.platform === 'win32');

// Beside each other, both homes alike, since most of them wait most of the time.
testOnPosix.concurrent.each(STANDALONE)(TITLE, async ({ run }) => {
  await run(SHORT);
});
testWithFirestore.concurrent.each(CLOUD)(TITLE, async ({ run }) => {
  await run(SHORT, firestoreHost);
});
