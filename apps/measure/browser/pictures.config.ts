import tests from '@goty/e2e/playwright-config';
import { defineConfig } from '@playwright/test';

// `pnpm pictures`: the configuration of the tests, to take screenshots instead.
export default defineConfig({
  ...tests,
  testDir: import.meta.dirname,
  testMatch: 'pictures.ts',
  reporter: 'list',
});
