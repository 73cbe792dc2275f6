import { parseArgs } from 'node:util';
import type { Row } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { median } from '../base/statistics.ts';
import { openBrowser, openPage, PHONE } from './visit.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints the medians of frames a second.

const SCREENS = {
  phone: PHONE,
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
};
const GAMES = [8, 30, 200];
/** As often as a server sends standings (SPEC L2). */
const UPDATE_MS = 100;
/** The votes that arrive with each update. */
const VOTES_PER_UPDATE = 20;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
await using goty = await startStandalone();
await using browser = await openBrowser();
const rows: Record<string, Row> = {};
for (const [name, screen] of Object.entries(SCREENS)) {
  for (const games of GAMES) {
    const rates: number[] = [];
    while (rates.length < Number(values.rounds)) rates.push(await framesPerSecond(screen, games));
    rows[`${name}, ${games} games`] = { 'frames/s': Math.round(median(rates)) };
  }
}
console.table(rows);

/** Opens inicio while votes arrive. */
async function framesPerSecond(screen: typeof PHONE, games: number): Promise<number> {
  const page = await openPage(browser, screen);
  await using _context = page.context();
  await page.addInitScript(fakeEventSource, { games, UPDATE_MS, VOTES_PER_UPDATE });
  await page.goto(`${goty.address}/inicio`);
  await page.locator('canvas').waitFor();
  await page.waitForTimeout(WARM_UP_MS);
  return await page.evaluate(countFrames, MEASURE_MS);
}

/** Resolves with the frames a second. Runs in the page. */
function countFrames(ms: number): Promise<number> {
  return new Promise((done) => {
    let frames = 0;
    const start = performance.now();
    const count = (now: number) => {
      frames += 1;
      if (now - start < ms) requestAnimationFrame(count);
      else done((frames * 1_000) / (now - start));
    };
    requestAnimationFrame(count);
  });
}

/** Replaces the event stream by one whose votes arrive for random games. Runs in the page. */
function fakeEventSource(options: { games: number; UPDATE_MS: number; VOTES_PER_UPDATE: number }) {
  const { games, UPDATE_MS, VOTES_PER_UPDATE } = options;
  const standings = Array.from({ length: games }, (_, index) => ({
    id: `game-${String(index).padStart(3, '0')}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      for (let vote = 0; vote < VOTES_PER_UPDATE; vote += 1) {
        const game = standings[Math.floor(Math.random() * games)];
        if (game) game.votos += 1;
      }
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }, UPDATE_MS);
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}
