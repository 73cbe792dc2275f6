import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';
import { findBrowser } from '../testing/browser.ts';

// `pnpm pictures`: the configuration of the tests, to take screenshots instead.
export default defineConfig({
  ...tests,
  testDir: import.meta.dirname,
  testMatch: 'pictures.ts',
  // With the fonts of this machine.
  use: { ...tests.use, launchOptions: { ...tests.use?.launchOptions, ...(await findBrowser()) } },
  reporter: 'list',
});
