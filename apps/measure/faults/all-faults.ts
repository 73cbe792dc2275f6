import { CLOUD_FAULTS } from './cloud-faults.ts';
import { openCloud } from './cloud-home.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { createScenario, type Scenario } from './scenario.ts';
import { openStandalone } from './standalone-home.ts';

/** The scenarios of the standalone home, in the order of the table. */
export const STANDALONE_FAULTS: readonly Scenario[] = [...MACHINE_FAULTS, ...NETWORK_FAULTS].map(
  (fault) => createScenario('standalone', openStandalone, fault),
);

/**
 * The scenarios of the cloud home, in the order of the table.
 *
 * @param host `host:port` of the Firestore emulator
 */
export function cloudFaults(host: string): readonly Scenario[] {
  return CLOUD_FAULTS.map((fault) =>
    createScenario('cloud', (resources) => openCloud(host, resources), fault),
  );
}
