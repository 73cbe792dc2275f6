import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '@goty/e2e/testing/browser';
import { writeEmulatorsConfig } from '@goty/e2e/testing/emulators-config';
import { freePort } from '@goty/functions/free-port';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startProgram } from '../base/program.ts';
import { ROOT, type Row } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { startReferences } from './references.ts';

// What the commands share that measure the page in a browser.

export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** Lighthouse's phone. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
/** Its processor, as many times slower than this one. */
const CPU_SLOWDOWN = 4;

/** Of Chromium's network emulation. */
export interface Line {
  readonly latency: number;
  /** Bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

export interface Compared {
  /** The home's name. */
  readonly home: string;
  /** The origin of the page. */
  readonly app: string;
  /** The origin of the references. */
  readonly references: string;
  readonly browser: Browser;
  readonly rounds: number;
}

/** @throws if there is no browser */
export async function browserPath(): Promise<string> {
  const path = await findBrowser();
  if (path === undefined) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
  return path;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath(), args: BROWSER_FLAGS });
}

/** Opens an empty page, in a context of its own, on a slow processor. */
export async function openPage(browser: Browser, screen: typeof PHONE, line?: Line): Promise<Page> {
  const context = await browser.newContext({ ...screen, locale: 'es', colorScheme: 'dark' });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  if (line) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  }
  return page;
}

/**
 * Starts the built page in one home after the other, each with its references, measures it and prints
 * one table. `--home` and `--rounds` choose.
 */
export async function compareHomes(
  usualRounds: number,
  measure: (compared: Compared) => Promise<Record<string, Row>>,
) {
  const { values } = parseArgs({
    options: {
      home: { type: 'string', multiple: true, default: ['standalone', 'cloud'] },
      rounds: { type: 'string', default: String(usualRounds) },
    },
  });
  await using browser = await openBrowser();
  const rows: Record<string, Row> = {};
  for (const home of values.home) {
    await using app = await (home === 'cloud' ? startEmulators() : startStandalone());
    await using references = await startReferences(browser, app.address);
    const origins = { app: app.address, references: references.address };
    Object.assign(
      rows,
      await measure({ home, ...origins, browser, rounds: Number(values.rounds) }),
    );
  }
  console.table(rows);
}

/** Starts Firestore, Function and Hosting. */
async function startEmulators() {
  const firestore = process.env.FIRESTORE_EMULATOR_HOST ?? `127.0.0.1:${await freePort()}`;
  const [functionsPort, hostingPort] = [await freePort(), await freePort()];
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  return startProgram({
    args: [join(ROOT, 'scripts/emulators.mjs')],
    env: { ...process.env, FIREBASE_JSON: config },
  });
}
