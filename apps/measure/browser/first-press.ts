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

const PRESS_EVERY_MS = 20;

await compareHomes('first press', 9, Object.keys(LINES), async (name, inTurn, browser) => {
  const press = (url: string) => firstPress(browser, url, LINES[name]);
  const [ours = [], bare = []] = await inTurn(press, '/goty', BARE);
  return {
    'first press': Math.round(median(ours)),
    bare: Math.round(median(bare)),
    ratio: withSpread(ratiosOf(ours, bare)),
  };
});

/**
 * Presses where the first card's button will be, again and again, as a finger does: a timer in the page would wait for
 * what the page is busy with. Resolves with the time of the first vote.
 */
async function firstPress(browser: Browser, url: string, line?: Line): Promise<number> {
  const { x, y } = await findButton(browser, url);
  const page = await openPage(browser, PHONE, line);
  await using _context = page.context();
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      if (init?.method === 'POST') performance.mark('vote');
      return send(input, init);
    };
  });
  let isSent = false;
  page.on('request', (request) => {
    isSent ||= request.method() === 'POST';
  });
  await page.goto(url, { waitUntil: 'commit' });
  while (!isSent) {
    await page.mouse.click(x, y);
    await page.waitForTimeout(PRESS_EVERY_MS);
  }
  // Awaited here: the context closes with this function.
  return await page.evaluate(
    () => performance.getEntriesByName('vote')[0]?.startTime ?? Number.NaN,
  );
}

async function findButton(browser: Browser, url: string) {
  const page = await browser.newPage(PHONE);
  await page.goto(url);
  const box = await page.locator('article button').first().boundingBox();
  await page.close();
  if (!box) throw new Error(`no button at ${url}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
