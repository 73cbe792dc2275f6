import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { freePort } from '@goty/functions/free-port';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';

// Playwright reads this file in every worker: what is decided once is kept in the environment.
const database = resolve(import.meta.dirname, '.artifacts/goty.sqlite');
if (!process.env.GOTY_E2E_PORT) {
  process.env.GOTY_E2E_PORT = String(await freePort());
  for (const file of [database, `${database}-wal`]) rmSync(file, { force: true });
}
process.env.GOTY_E2E_BROWSER ??= (await findBrowser()) ?? '';

const url = `http://localhost:${process.env.GOTY_E2E_PORT}`;

export default defineConfig({
  testDir: 'src',
  outputDir: '.artifacts/results',
  // One server and one set of votes: the tests take turns.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '.artifacts/results.json' }]],
  use: {
    baseURL: url,
    locale: 'es',
    colorScheme: 'dark',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.GOTY_E2E_BROWSER,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [{ name: 'standalone' }],
  webServer: {
    command: 'node --disable-warning=ExperimentalWarning ../../scripts/start.mjs',
    url: `${url}/api/health`,
    env: {
      PORT: process.env.GOTY_E2E_PORT,
      DATABASE: database,
    },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    stdout: 'ignore',
    timeout: 120_000,
  },
});
