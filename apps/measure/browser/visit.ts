import { findBrowser } from '@goty/e2e/testing/browser';
import { startCloud } from '@goty/e2e/testing/home';
import { portOf } from '@goty/functions/server';
import type { Nominee } from '@goty/shared/nominee';
import { API_PATHS, API_PREFIX, LANGUAGE } from '@goty/shared/protocol';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startStandalone } from '../base/homes.ts';
import { interleave, openReport, type Row } from '../base/report.ts';
import { startReferences } from './references.ts';

// What the commands share that measure the page in a browser.

/** Lighthouse's phone. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
/** For as long, Chromium loads pages of its own into a new context. */
const SETTLE_MS = 3_000;
/** The emulators and the Function take half a minute. */
const START_MS = 120_000;
/** How many times slower a phone's processor is than this machine's. */
const CPU_SLOWDOWN = 4;

/** Of Chromium's network emulation; throughputs are in bytes a second. */
export type Line = Record<'latency' | 'downloadThroughput' | 'uploadThroughput', number>;

/** @throws if there is no browser */
export async function findInstalledBrowser() {
  const browser = await findBrowser();
  if (browser === undefined) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
  return browser;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch(await findInstalledBrowser());
}

/** Opens an empty page, in a context of its own, on a slow processor that has nothing else to do. */
export async function openPage(browser: Browser, screen: typeof PHONE, line?: Line): Promise<Page> {
  const context = await browser.newContext({ ...screen, locale: LANGUAGE, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.waitForTimeout(SETTLE_MS);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  if (line) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  }
  return page;
}

/** Measures a path of the home, and one of the references, in turn: see `interleave`. */
type InTurn = <Result>(
  measure: (url: string) => Promise<Result>,
  path: string,
  reference: string,
) => Promise<Result[][]>;

/**
 * Starts the built page in one home after the other, each with its references, and measures each subject.
 *
 * @param name of the table
 */
export async function compareHomes(
  name: string,
  usualRounds: number,
  subjects: readonly string[],
  measure: (subject: string, inTurn: InTurn, browser: Browser) => Promise<Row>,
) {
  const report = openReport(name, usualRounds);
  await using browser = await openBrowser();
  for (const [home, open] of Object.entries({ standalone: startStandalone, cloud: openCloud })) {
    const chosen = subjects.filter((subject) => report.isChosen(`${home} ${subject}`));
    if (chosen.length === 0) continue;
    const limit = setTimeout(() => {
      throw new Error(`The ${home} home is not ready after ${START_MS / 1_000} s.`);
    }, START_MS);
    await using app = await open();
    await voteForAll(`${app.address}${API_PREFIX}`);
    await using references = await startReferences(browser, app.address);
    clearTimeout(limit);
    const beside = `http://127.0.0.1:${portOf(references)}`;
    const inTurn: InTurn = (run, path, reference) =>
      interleave(report.rounds, [app.address + path, beside + reference], run);
    for (const subject of chosen) {
      report.add({ home, subject, ...(await measure(subject, inTurn, browser)) });
    }
  }
  report.publish();
}

/** Before the first vote, inicio is another page. */
async function voteForAll(api: string) {
  const list: Nominee[] = await (await fetch(api + API_PATHS.nominees)).json();
  for (const { id } of list) {
    const { ok } = await fetch(api + API_PATHS.vote(id), { method: 'POST' });
    if (!ok) throw new Error(`no vote for ${id}`);
  }
}

async function openCloud() {
  const home = await startCloud();
  if (home.state === 'missing') throw new Error(home.advice);
  return home;
}
