import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Emulators need no credentials: do not look for a metadata server.
    env: { METADATA_SERVER_DETECTION: 'none' },
    globalSetup: ['@goty/functions/testing/emulator'],
    // Long enough that only a test that hangs exceeds it.
    testTimeout: 300_000,
    // As many as two cores can serve.
    maxConcurrency: 4,
  },
});
