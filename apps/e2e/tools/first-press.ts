import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';
import { type Home, startCloud, startStandalone } from './homes.ts';
import { BARE, startReferences } from './references.ts';

// `pnpm first-press`: measures when the first press on goty sends a vote, compared with the bare
// page, and when goty is painted, compared with the static page. Prints a table of medians.

const { home, line, rounds } = parseArgs({
  options: {
    home: { type: 'string', multiple: true, default: ['standalone', 'cloud'] },
    line: { type: 'string', multiple: true, default: ['fast 3G', 'slow 4G'] },
    rounds: { type: 'string', default: '9' },
  },
}).values;

interface Paint {
  readonly fcp: number;
  readonly lcp: number;
}

interface Line {
  readonly latency: number;
  /** Bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

const mbit = (bits: number) => (bits * 1_000_000) / 8;
const LINES: Readonly<Record<string, Line>> = {
  'fast 3G': { latency: 562, downloadThroughput: mbit(1.44), uploadThroughput: mbit(0.675) },
  'slow 4G': { latency: 150, downloadThroughput: mbit(1.6), uploadThroughput: mbit(0.75) },
};
const CPU_SLOWDOWN = 4;
/** How long to wait for a later largest paint, in milliseconds. */
const LAST_PAINT_MS = 1_500;
/** Lighthouse's phone. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true };
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--no-first-run'];

const HOMES: Readonly<Record<string, () => Promise<Home>>> = {
  standalone: startStandalone,
  cloud: startCloud,
};

const executablePath = await findBrowser();
if (!executablePath) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
const browser = await chromium.launch({ executablePath, args: FLAGS });
const rows: Record<string, Record<string, string | number>> = {};
for (const name of home) {
  const start = HOMES[name];
  if (!start) throw new Error(`unknown home ${name}: ${Object.keys(HOMES).join(', ')}`);
  await using app = await start();
  await using references = await startReferences(browser, app.origin);
  for (const lineName of line) {
    const conditions = LINES[lineName];
    if (!conditions) throw new Error(`unknown line ${lineName}: ${Object.keys(LINES).join(', ')}`);
    rows[`${name}, ${lineName}`] = await measure(app.origin, references.origin, conditions);
  }
}
await browser.close();
console.table(rows);

/** Measures page and references in turn, and returns the medians in milliseconds. */
async function measure(app: string, references: string, conditions: Line) {
  const goty = '/goty';
  const press = { app: [] as number[], bare: [] as number[] };
  const paint = { app: [] as Paint[], static: [] as Paint[] };
  for (let round = 0; round < Number(rounds); round += 1) {
    press.app.push(await open(`${app}${goty}`, conditions, firstPress));
    press.bare.push(await open(`${references}${BARE}`, conditions, firstPress));
    paint.app.push(await open(`${app}${goty}`, conditions, firstPaints));
    paint.static.push(await open(`${references}${goty}`, conditions, firstPaints));
  }
  const fcp = (paints: readonly Paint[]) => median(paints.map((each) => each.fcp));
  const lcp = (paints: readonly Paint[]) => median(paints.map((each) => each.lcp));
  return {
    'first press': median(press.app),
    bare: median(press.bare),
    'press ratio': ratio(median(press.app), median(press.bare)),
    FCP: fcp(paint.app),
    'static FCP': fcp(paint.static),
    LCP: lcp(paint.app),
    'static LCP': lcp(paint.static),
    'LCP ratio': ratio(lcp(paint.app), lcp(paint.static)),
  };
}

/** Opens a URL as a first visitor on a slow phone, and passes the page on before it has loaded. */
async function open<Result>(
  url: string,
  conditions: Line,
  read: (page: Page, go: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const context = await browserContext(browser);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...conditions });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const result = await read(page, () => page.goto(url, { waitUntil: 'load' }));
  await context.close();
  return result;
}

function browserContext(from: Browser) {
  return from.newContext({ ...PHONE, locale: 'es', colorScheme: 'dark' });
}

/** Presses the first card's button again and again. Resolves with the time of the first vote. */
async function firstPress(page: Page, go: () => Promise<unknown>): Promise<number> {
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      if (init?.method !== 'POST') return send(input, init);
      performance.mark('vote');
      clearInterval(timer);
      return new Promise(() => {});
    };
    const timer = setInterval(() => {
      document.querySelector<HTMLElement>('article button')?.click();
    }, 10);
  });
  await go();
  const time = () => performance.getEntriesByName('vote')[0]?.startTime;
  await page.waitForFunction(time);
  return (await page.evaluate(time)) ?? Number.NaN;
}

async function firstPaints(page: Page, go: () => Promise<unknown>): Promise<Paint> {
  await go();
  await page.locator('article').first().waitFor();
  return page.evaluate(
    (patience) =>
      new Promise<Paint>((done) => {
        let lcp = Number.NaN;
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntries()) lcp = startTime;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        const fcp = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
        setTimeout(() => done({ fcp: fcp() ?? Number.NaN, lcp }), patience);
      }),
    LAST_PAINT_MS,
  );
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}

function ratio(value: number, reference: number): string {
  return (value / reference).toFixed(2);
}
