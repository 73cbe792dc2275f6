import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';

// `pnpm pictures`: the configuration of the tests, to take screenshots instead.
export default defineConfig({
  ...tests,
  testDir: import.meta.dirname,
  testMatch: 'pictures.ts',
  reporter: 'list',
});
