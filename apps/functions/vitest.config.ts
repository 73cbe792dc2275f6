import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Nobody is to be asked for the credentials of an emulator.
    env: { METADATA_SERVER_DETECTION: 'none' },
    globalSetup: ['testing/emulator.ts'],
  },
});
