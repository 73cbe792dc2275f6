import { defineConfig } from 'vitest/config';

const SLOW = '**/*.slow.test.ts';

export default defineConfig({
  test: {
    // Emulators need no credentials: do not look for a metadata server.
    env: { METADATA_SERVER_DETECTION: 'none' },
    globalSetup: ['testing/emulator.ts'],
    // Long enough that only a test that hangs exceeds it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Also on two cores: the tests mostly wait for timers, disks and processes.
    maxWorkers: 2,
    // Tests that take real minutes run after the others.
    projects: [
      { extends: true, test: { name: 'fast', exclude: ['**/node_modules/**', SLOW] } },
      { extends: true, test: { name: 'slow', include: [SLOW], sequence: { groupOrder: 1 } } },
    ],
  },
});
