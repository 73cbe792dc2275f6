import { defineConfig } from 'vitest/config';

/** For everything that a test waits for: only what hangs takes longer. */
const LIMIT_MS = 600_000;

export default defineConfig({
  test: {
    // Emulators need no credentials: do not look for a metadata server.
    env: { METADATA_SERVER_DETECTION: 'none' },
    globalSetup: ['testing/emulator.ts'],
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: LIMIT_MS, interval: 5 } },
    // Also on two cores: the tests mostly wait for disks and processes.
    maxWorkers: 3,
    // The Admin SDK is loaded once by each worker, not by each file.
    isolate: false,
    restoreMocks: true,
  },
});
