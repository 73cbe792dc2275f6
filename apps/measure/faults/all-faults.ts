import { createCloud } from './cloud-home.ts';
import { CLOUD_CROWDS, STANDALONE_CROWDS } from './crowd-faults.ts';
import { FIRESTORE_FAULTS } from './firestore-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import type { Scenario } from './scenario.ts';
import { SQLITE_FAULTS } from './sqlite-faults.ts';

/** The scenarios of the standalone home, in the order of the table. */
export const STANDALONE_FAULTS: readonly Scenario[] = [
  ...PROCESS_FAULTS,
  ...SQLITE_FAULTS,
  ...NETWORK_FAULTS,
  ...STANDALONE_CROWDS,
];

/**
 * The scenarios of the cloud home, in the order of the table.
 *
 * @param host `host:port` of the Firestore emulator
 */
export function cloudFaults(host: string): readonly Scenario[] {
  return [...FIRESTORE_FAULTS, ...CLOUD_CROWDS].map(createCloud(host));
}
