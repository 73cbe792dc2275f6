import { parseArgs } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import type { Row } from '../base/report.ts';
import { interleave, median } from '../base/statistics.ts';
import { type Compared, CPU_SLOWDOWN, compareHomes, HOME_OPTION, PHONE, ratio } from './compare.ts';
import { BARE } from './references.ts';

// `pnpm first-press`: measures when the first press on goty sends a vote, compared with the bare
// page, and when goty is painted, compared with the static page. Prints a table of medians.

/** Of Chromium's network emulation. */
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
const GOTY = '/goty';
/** How long to wait for a later largest paint, in milliseconds. */
const LAST_PAINT_MS = 1_500;

const { home, line, rounds } = parseArgs({
  options: {
    home: HOME_OPTION,
    line: { type: 'string', multiple: true, default: Object.keys(LINES) },
    rounds: { type: 'string', default: '9' },
  },
}).values;

const rows: Record<string, Row> = {};
await compareHomes(home, async (compared) => {
  for (const name of line) {
    const conditions = LINES[name];
    if (!conditions) throw new Error(`unknown line ${name}: ${Object.keys(LINES).join(', ')}`);
    rows[`${compared.home}, ${name}`] = await measure(compared, conditions);
  }
});
console.table(rows);

/** Opens page and references in turn, as first visitors. The medians are in milliseconds. */
async function measure({ app, references, browser }: Compared, line: Line): Promise<Row> {
  const pressed = await interleave(
    Number(rounds),
    () => visit(browser, `${app}${GOTY}`, line, firstPress),
    () => visit(browser, `${references}${BARE}`, line, firstPress),
  );
  const painted = await interleave(
    Number(rounds),
    () => visit(browser, `${app}${GOTY}`, line, firstPaints),
    () => visit(browser, `${references}${GOTY}`, line, firstPaints),
  );
  const press = medians(pressed);
  const fcp = medians(painted.map(([ours, reference]) => [ours.fcp, reference.fcp]));
  const lcp = medians(painted.map(([ours, reference]) => [ours.lcp, reference.lcp]));
  return {
    'first press': press.ours,
    bare: press.reference,
    'press ratio': ratio(press.ours, press.reference),
    FCP: fcp.ours,
    'static FCP': fcp.reference,
    LCP: lcp.ours,
    'static LCP': lcp.reference,
    'LCP ratio': ratio(lcp.ours, lcp.reference),
  };
}

/** Opens a URL on a slow phone, and passes the page on before it has loaded. */
async function visit<Result>(
  browser: Browser,
  url: string,
  line: Line,
  read: (page: Page, go: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  await using context = await browser.newContext({
    ...PHONE,
    isMobile: true,
    locale: 'es',
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return await read(page, () => page.goto(url, { waitUntil: 'load' }));
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
  const vote = await page.waitForFunction(() => performance.getEntriesByName('vote')[0]?.startTime);
  return (await vote.jsonValue()) ?? Number.NaN;
}

async function firstPaints(page: Page, go: () => Promise<unknown>) {
  await go();
  await page.locator('article').first().waitFor();
  await page.waitForTimeout(LAST_PAINT_MS);
  return page.evaluate(
    () =>
      new Promise<{ fcp: number; lcp: number }>((done) => {
        const [first] = performance.getEntriesByName('first-contentful-paint');
        new PerformanceObserver((list) => {
          const lcp = list.getEntries().at(-1)?.startTime ?? Number.NaN;
          done({ fcp: first?.startTime ?? Number.NaN, lcp });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

function medians(pairs: readonly (readonly [number, number])[]) {
  return {
    ours: Math.round(median(pairs.map(([ours]) => ours))),
    reference: Math.round(median(pairs.map(([, reference]) => reference))),
  };
}
