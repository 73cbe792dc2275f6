import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './testing/browser.ts';
import { writeEmulatorsConfig } from './testing/emulators-config.ts';
import type { HomeOptions } from './testing/goty-test.ts';

/** Computed once and passed on in the environment: Playwright loads this file in every worker. */
interface Plan {
  readonly browser: string | undefined;
  readonly port: number;
  readonly cloud: CloudPlan | { readonly skipReason: string };
}

interface CloudPlan {
  /** The file name of a firebase.json with the ports of this run. */
  readonly config: string;
  readonly port: number;
  /** `host:port` of the Firestore emulator. */
  readonly firestore: string;
}

const database = resolve(import.meta.dirname, '.artifacts/goty.sqlite');
process.env.GOTY_E2E ??= JSON.stringify(await makePlan());
const { browser, port, cloud }: Plan = JSON.parse(process.env.GOTY_E2E);
const browserSkipReason = browser ? '' : 'Install Chromium or Chrome, or set CHROME_PATH.';

async function makePlan(): Promise<Plan> {
  for (const file of [database, `${database}-wal`]) rmSync(file, { force: true });
  return { browser: await findBrowser(), port: await freePort(), cloud: await planCloud() };
}

async function planCloud(): Promise<Plan['cloud']> {
  const source = findFirestore();
  if (source.state === 'missing') {
    console.warn(`The browser tests of the cloud home are skipped: ${source.advice}.`);
    return { skipReason: source.advice };
  }
  const firestore = source.state === 'given' ? source.host : `127.0.0.1:${await freePort()}`;
  const hostingPort = await freePort();
  const functionsPort = await freePort();
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  return { config, port: hostingPort, firestore };
}

const tests = resolve(import.meta.dirname, 'src');
const slowTests = '**/*.slow.spec.ts';

const standaloneHome = {
  name: 'standalone',
  use: { baseURL: `http://localhost:${port}`, skipReason: browserSkipReason },
  testIgnore: `${tests}/cloud/**`,
  workers: 1,
};

const cloudHome = {
  workers: 1,
  use:
    'skipReason' in cloud
      ? { skipReason: cloud.skipReason }
      : {
          baseURL: `http://127.0.0.1:${cloud.port}`,
          firestore: cloud.firestore,
          skipReason: browserSkipReason,
        },
};

const standaloneServer = {
  cwd: import.meta.dirname,
  command: 'node --disable-warning=ExperimentalWarning ../../scripts/start.mjs',
  url: `http://localhost:${port}/api/health`,
  env: { PORT: String(port), DATABASE: database },
  gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  stdout: 'ignore',
  timeout: 120_000,
} as const;

export default defineConfig<HomeOptions>({
  testDir: tests,
  outputDir: resolve(import.meta.dirname, '.artifacts/results'),
  // The homes run beside each other. Each has one server and one database for one test at a time.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '.artifacts/results.json' }]],
  use: {
    locale: 'es',
    colorScheme: 'dark',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(browser === undefined ? {} : { executablePath: browser }),
      args: [
        '--no-sandbox',
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
    standaloneHome,
    { ...cloudHome, name: 'cloud', testIgnore: [`${tests}/standalone/**`, slowTests] },
    { ...cloudHome, name: 'cloud, slow', testMatch: slowTests, dependencies: ['cloud'] },
  ],
  webServer: [standaloneServer, ...('skipReason' in cloud ? [] : [cloudServer(cloud)])],
});

function cloudServer({ config, port }: CloudPlan) {
  return {
    cwd: import.meta.dirname,
    command: 'node ../../scripts/emulators.mjs',
    url: `http://127.0.0.1:${port}/api/health`,
    env: { FIREBASE_JSON: config },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 120_000,
  } as const;
}
