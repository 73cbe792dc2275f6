import type { Browser } from '@playwright/test';
import { median, ratiosOf, withSpread } from '../base/report.ts';
import { BARE } from './references.ts';
import { compareHomes, type Line, openPage, PHONE } from './visit.ts';

// `pnpm first-press`: measures when the first press on goty sends a vote, compared with the bare page.
// Medians in milliseconds.

const mbit = (bits: number) => (bits * 1_000_000) / 8;
const LINES: Record<string, Line> = {
  'fast 3G': { latency: 562, downloadThroughput: mbit(1.44), uploadThroughput: mbit(0.675) },
  'slow 4G': { latency: 150, downloadThroughput: mbit(1.6), uploadThroughput: mbit(0.75) },
};

await compareHomes('first press', 9, Object.keys(LINES), async (name, inTurn, browser) => {
  const press = (url: string) => firstPress(browser, url, LINES[name]);
  const [ours = [], bare = []] = await inTurn(press, '/goty', BARE);
  return {
    'first press': Math.round(median(ours)),
    bare: Math.round(median(bare)),
    ratio: withSpread(ratiosOf(ours, bare)),
  };
});

/** Presses the first card's button again and again. Resolves with the time of the first vote. */
async function firstPress(browser: Browser, url: string, line?: Line): Promise<number> {
  const page = await openPage(browser, PHONE, line);
  await using _context = page.context();
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
  await page.goto(url);
  const vote = await page.waitForFunction(() => performance.getEntriesByName('vote')[0]?.startTime);
  return (await vote.jsonValue()) ?? Number.NaN;
}
