import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { findFirestoreEmulator, MISSING_EMULATOR } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';
import { writeEmulatorsConfig } from './src/emulators-config.ts';
import type { HomeOptions } from './src/goty-test.ts';

/** What is found out once, and kept in the environment: Playwright reads this file in every worker. */
interface Plan {
  readonly browser: string | undefined;
  readonly port: number;
  /** The cloud home on emulators, where there can be any. */
  readonly cloud?: { readonly config: string; readonly port: number; readonly firestore: string };
}

const database = resolve(import.meta.dirname, '.artifacts/goty.sqlite');
process.env.GOTY_E2E ??= JSON.stringify(await makePlan());
const { browser, port, cloud }: Plan = JSON.parse(process.env.GOTY_E2E);

async function makePlan(): Promise<Plan> {
  for (const file of [database, `${database}-wal`]) rmSync(file, { force: true });
  const standalone = { browser: await findBrowser(), port: await freePort() };
  const given = process.env.FIRESTORE_EMULATOR_HOST;
  if (!given && !findFirestoreEmulator()) {
    console.warn(`The browser tests of the cloud home are skipped: ${MISSING_EMULATOR}.`);
    return standalone;
  }
  const firestore = given ?? `127.0.0.1:${await freePort()}`;
  const hostingPort = await freePort();
  const functionsPort = await freePort();
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  return { ...standalone, cloud: { config, port: hostingPort, firestore } };
}

const standaloneHome = {
  name: 'standalone',
  use: { baseURL: `http://localhost:${port}` },
  testIgnore: '**/cloud.spec.ts',
};

const standaloneServer = {
  command: 'node --disable-warning=ExperimentalWarning ../../scripts/start.mjs',
  url: `http://localhost:${port}/api/health`,
  env: { PORT: String(port), DATABASE: database },
  gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  stdout: 'ignore',
  timeout: 120_000,
} as const;

export default defineConfig<HomeOptions>({
  testDir: 'src',
  outputDir: '.artifacts/results',
  // One server and one set of votes for each home: the tests take turns.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '.artifacts/results.json' }]],
  use: {
    locale: 'es',
    colorScheme: 'dark',
    trace: 'retain-on-failure',
    hasBrowser: browser !== undefined,
    launchOptions: {
      ...(browser === undefined ? {} : { executablePath: browser }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        // A page that a test has changed on the way is not of this machine for Chromium.
        '--disable-features=LocalNetworkAccessChecks',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    standaloneHome,
    ...(cloud
      ? [
          {
            name: 'cloud',
            use: { baseURL: `http://127.0.0.1:${cloud.port}`, firestore: cloud.firestore },
          },
        ]
      : []),
  ],
  webServer: [
    standaloneServer,
    ...(cloud
      ? [
          {
            command: 'node ../../scripts/emulators.mjs',
            url: `http://127.0.0.1:${cloud.port}/api/health`,
            env: { FIREBASE_JSON: cloud.config },
            gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 } as const,
            stdout: 'ignore' as const,
            stderr: 'pipe' as const,
            timeout: 120_000,
          },
        ]
      : []),
  ],
});
