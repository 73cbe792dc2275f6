import { defineConfig } from 'vitest/config';

const SLOW = '**/*.slow.test.ts';

export default defineConfig({
  test: {
    // Nothing asks for the credentials of an emulator.
    env: { METADATA_SERVER_DETECTION: 'none' },
    globalSetup: ['testing/emulator.ts'],
    // Tests that take real minutes come last, when nothing else competes for the processor.
    projects: [
      { extends: true, test: { name: 'fast', exclude: ['**/node_modules/**', SLOW] } },
      { extends: true, test: { name: 'slow', include: [SLOW], sequence: { groupOrder: 1 } } },
    ],
  },
});
