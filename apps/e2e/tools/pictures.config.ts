import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';

// `pnpm pictures`: the same servers and browser, for pictures instead of tests.
export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: 'pictures.ts',
  reporter: 'list',
});
