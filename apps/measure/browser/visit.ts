import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '@goty/e2e/testing/browser';
import { writeEmulatorsConfig } from '@goty/e2e/testing/emulators-config';
import { freePort } from '@goty/functions/free-port';
import type { Nominee } from '@goty/shared/nominee';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startProgram } from '../base/program.ts';
import { publish, ROOT, type Row } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { interleave } from '../base/statistics.ts';
import { startReferences } from './references.ts';

// What the commands share that measure the page in a browser.

/** Lighthouse's phone. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
/** Its processor, as many times slower than this one. */
const CPU_SLOWDOWN = 4;

/** Of Chromium's network emulation; throughputs are in bytes a second. */
export type Line = Record<'latency' | 'downloadThroughput' | 'uploadThroughput', number>;

/**
 * Measures a page of the app and one of the references in turn.
 *
 * @param paths of both
 */
type InTurn = <Result>(
  paths: readonly [app: string, reference: string],
  measure: (url: string) => Promise<Result>,
) => Promise<readonly [ours: Result[], references: Result[]]>;

/** @throws if there is no browser */
export async function browserPath(): Promise<string> {
  const path = await findBrowser();
  if (path === undefined) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
  return path;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath() });
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
 * Starts the built page in one home after the other, each with its references, measures each subject
 * and prints one table. `--home` and `--rounds` choose, `--write` puts it into docs/performance.md.
 *
 * @param name of the table
 */
export async function compareHomes(
  name: string,
  usualRounds: number,
  subjects: readonly string[],
  measure: (subject: string, inTurn: InTurn, browser: Browser) => Promise<Row>,
) {
  const { values } = parseArgs({
    options: {
      home: { type: 'string', multiple: true, default: ['standalone', 'cloud'] },
      rounds: { type: 'string', default: String(usualRounds) },
      write: { type: 'boolean', default: false },
    },
  });
  await using browser = await openBrowser();
  const rows: Row[] = [];
  for (const home of values.home) {
    await using app = await (home === 'cloud' ? startEmulators() : startStandalone());
    await voteForAll(app.address);
    await using references = await startReferences(browser, app.address);
    const inTurn: InTurn = async ([ours, reference], run) => {
      const urls = [app.address + ours, references.address + reference] as const;
      const pairs = await interleave(Number(values.rounds), urls, run);
      return [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
    };
    for (const subject of subjects) {
      const row = { home, subject, ...(await measure(subject, inTurn, browser)) };
      console.log(Object.values(row).join(' | '));
      rows.push(row);
    }
  }
  publish(name, rows, values.write);
}

/** Before the first vote, inicio is another page. */
async function voteForAll(address: string) {
  const list: Nominee[] = await (
    await fetch(`${address}${API_PREFIX}${API_PATHS.nominees}`)
  ).json();
  for (const { id } of list) {
    const { ok } = await fetch(`${address}${API_PREFIX}${API_PATHS.vote(id)}`, { method: 'POST' });
    if (!ok) throw new Error(`no vote for ${id}`);
  }
}

/** Starts Firestore, Function and Hosting. */
async function startEmulators() {
  const firestore = process.env.FIRESTORE_EMULATOR_HOST ?? `127.0.0.1:${await freePort()}`;
  const [functionsPort, hostingPort] = [await freePort(), await freePort()];
  const FIREBASE_JSON = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  const script = join(ROOT, 'scripts/emulators.mjs');
  return startProgram([script], { ...process.env, FIREBASE_JSON });
}
