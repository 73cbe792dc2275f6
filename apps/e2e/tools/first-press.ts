import { parseArgs } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { type Compared, compareHomes, HOME_OPTION, median, ratio } from './compare.ts';
import { BARE } from './references.ts';

// `pnpm first-press`: measures when the first press on goty sends a vote, compared with the bare
// page, and when goty is painted, compared with the static page. Prints a table of medians.

const { home, line, rounds } = parseArgs({
  options: {
    home: HOME_OPTION,
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

const rows: Record<string, Record<string, string | number>> = {};
await compareHomes(home, async (compared) => {
  for (const lineName of line) {
    const conditions = LINES[lineName];
    if (!conditions) throw new Error(`unknown line ${lineName}: ${Object.keys(LINES).join(', ')}`);
    rows[`${compared.home}, ${lineName}`] = await measure(compared, conditions);
  }
});
console.table(rows);

/** Measures page and references in turn, and returns the medians in milliseconds. */
async function measure({ app, references, browser }: Compared, conditions: Line) {
  const goty = '/goty';
  const press = { app: [] as number[], bare: [] as number[] };
  const paint = { app: [] as Paint[], static: [] as Paint[] };
  for (let round = 0; round < Number(rounds); round += 1) {
    press.app.push(await open(browser, `${app}${goty}`, conditions, firstPress));
    press.bare.push(await open(browser, `${references}${BARE}`, conditions, firstPress));
    paint.app.push(await open(browser, `${app}${goty}`, conditions, firstPaints));
    paint.static.push(await open(browser, `${references}${goty}`, conditions, firstPaints));
  }
  const fcp = (paints: readonly Paint[]) => Math.round(median(paints.map((each) => each.fcp)));
  const lcp = (paints: readonly Paint[]) => Math.round(median(paints.map((each) => each.lcp)));
  return {
    'first press': Math.round(median(press.app)),
    bare: Math.round(median(press.bare)),
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
  browser: Browser,
  url: string,
  conditions: Line,
  read: (page: Page, go: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ ...PHONE, locale: 'es', colorScheme: 'dark' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...conditions });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const result = await read(page, () => page.goto(url, { waitUntil: 'load' }));
  await context.close();
  return result;
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
