import { join } from 'node:path';
import { findBrowser } from '@goty/e2e/testing/browser';
import { writeEmulatorsConfig } from '@goty/e2e/testing/emulators-config';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';
import { type Browser, chromium } from '@playwright/test';
import { type Program, startProgram } from '../base/program.ts';
import { ROOT } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { startReferences } from './references.ts';

// What the commands share that measure the page in a browser.

const HOMES: Readonly<Record<string, () => Promise<Program>>> = {
  standalone: () => startStandalone(),
  cloud: startCloud,
};

/** The option `--home`, for `parseArgs`. */
export const HOME_OPTION = {
  type: 'string' as const,
  multiple: true as const,
  default: Object.keys(HOMES),
};

/** Lighthouse's phone. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
/** Its processor, as many times slower than this one. */
export const CPU_SLOWDOWN = 4;

export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface Compared {
  /** The home's name. */
  readonly home: string;
  /** The origin of the page. */
  readonly app: string;
  /** The origin of the references. */
  readonly references: string;
  readonly browser: Browser;
}

/** @throws if there is no browser */
export async function browserPath(): Promise<string> {
  const path = await findBrowser();
  if (path === undefined) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
  return path;
}

/** Starts a browser. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath(), args: BROWSER_FLAGS });
}

/** Starts one home after the other, each with its references, and measures it. The page must be built. */
export async function compareHomes(
  names: readonly string[],
  measure: (compared: Compared) => Promise<void>,
) {
  await using browser = await openBrowser();
  for (const home of names) {
    await using app = await HOMES[home]?.();
    if (!app) throw new Error(`unknown home ${home}: ${Object.keys(HOMES).join(', ')}`);
    await using references = await startReferences(browser, app.address);
    await measure({ home, app: app.address, references: references.address, browser });
  }
}

/** Starts the cloud home on the emulators. */
async function startCloud(): Promise<Program> {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(`No Firestore emulator: ${source.advice}.`);
  const firestore = source.state === 'given' ? source.host : `127.0.0.1:${await freePort()}`;
  const [functionsPort, hostingPort] = [await freePort(), await freePort()];
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  return startProgram({
    args: [join(ROOT, 'scripts/emulators.mjs')],
    env: { ...process.env, FIREBASE_JSON: config },
  });
}

/** `value` in multiples of `reference`, for a table. */
export function ratio(value: number, reference: number): string {
  return (value / reference).toFixed(2);
}
