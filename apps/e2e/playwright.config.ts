import { resolve } from 'node:path';
import { LANGUAGE } from '@goty/shared/protocol';
import { defineConfig } from '@playwright/test';
import { findTestBrowser } from './testing/browser.ts';
import { ENGINES } from './testing/engines/engines.ts';
import type { HomeOptions } from './testing/goty-test.ts';

const browser = await findTestBrowser();

const tests = resolve(import.meta.dirname, 'src');

export default defineConfig<HomeOptions, HomeOptions>({
  testDir: tests,
  outputDir: resolve(import.meta.dirname, '.artifacts/results'),
  // Each worker has a home of its own, so that tests in different workers do not meet.
  fullyParallel: true,
  workers: 5,
  forbidOnly: Boolean(process.env.CI),
  // Long enough that only a test that hangs exceeds them, also on a busy machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A page that does not start at all would take an hour.
  maxFailures: 10,
  reporter: [['list'], ['json', { outputFile: '.artifacts/results.json' }]],
  use: {
    browserSkipReason: browser ? '' : 'Install Chromium or Chrome, or set CHROME_PATH.',
    locale: LANGUAGE,
    colorScheme: 'dark',
    // Where motion is the subject, the test asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...browser,
      args: [
        '--no-sandbox',
        // Without a graphics card, the software that stands in for one takes most of the time.
        '--disable-gpu',
        '--disable-background-networking',
        // Chromium does not treat a response that a test rewrote as local, and would block its requests.
        '--disable-features=LocalNetworkAccessChecks',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    // First, because these take longest: all others run beside them. Each engine has a worker of its own, which starts it once.
    ...ENGINES.map(({ name }) => ({
      name: `engines ${name}`,
      testMatch: `${tests}/engines/**`,
      grep: new RegExp(`in ${name}$|${name} is not installed`),
      workers: 1,
    })),
    {
      name: 'standalone',
      use: { homeName: 'standalone' },
      testIgnore: [`${tests}/cloud/**`, `${tests}/engines/**`],
      workers: 2,
    },
    {
      name: 'cloud',
      use: { homeName: 'cloud' },
      // Only what differs from home to home.
      testMatch: [`${tests}/both-homes/**`, `${tests}/cloud/**`],
      workers: 1,
    },
  ],
});
