import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';
import { type Home, startCloud, startStandalone } from './homes.ts';
import { startReferences } from './references.ts';

// What the tools share that compare each home with references in the same run.

const HOMES: Readonly<Record<string, () => Promise<Home>>> = {
  standalone: startStandalone,
  cloud: startCloud,
};

/** The option `--home`, for `parseArgs`. */
export const HOME_OPTION = {
  type: 'string' as const,
  multiple: true as const,
  default: Object.keys(HOMES),
};

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
  readonly browserPath: string;
}

/** Starts one home after the other, each with its references, and measures it. */
export async function compareHomes(
  names: readonly string[],
  measure: (compared: Compared) => Promise<void>,
) {
  const unknown = names.find((name) => !(name in HOMES));
  if (unknown) throw new Error(`unknown home ${unknown}: ${Object.keys(HOMES).join(', ')}`);
  const browserPath = await findBrowser();
  if (!browserPath) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
  await using browser = await chromium.launch({
    executablePath: browserPath,
    args: BROWSER_FLAGS,
  });
  for (const home of names) {
    await using app = await HOMES[home]?.();
    if (!app) continue;
    await using references = await startReferences(browser, app.origin);
    await measure({
      home,
      app: app.origin,
      references: references.origin,
      browser,
      browserPath,
    });
  }
}

/** The median, or the upper one of the middle two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** `value` in multiples of `reference`, for a table. */
export function ratio(value: number, reference: number): string {
  return (value / reference).toFixed(2);
}
