import { CLOUD_FAULTS } from './cloud-faults.ts';
import { openCloud } from './cloud-home.ts';
import { CLOUD_COMMANDS, STANDALONE_COMMANDS } from './command-faults.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { createScenario } from './scenario.ts';
import { openStandalone } from './standalone-home.ts';

// The scenarios of both homes, in the order of the table.

export const STANDALONE = [...MACHINE_FAULTS, STANDALONE_COMMANDS, ...NETWORK_FAULTS].map((fault) =>
  createScenario('standalone', openStandalone, fault),
);
export const CLOUD = [...CLOUD_FAULTS, CLOUD_COMMANDS].map((fault) =>
  createScenario('cloud', openCloud, fault),
);
