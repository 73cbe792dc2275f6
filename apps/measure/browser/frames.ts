import { parseArgs } from 'node:util';
import type { Row } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { median } from '../base/statistics.ts';
import { CPU_SLOWDOWN, openBrowser, PHONE } from './compare.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints the medians of frames a second. `--origin http://…` compares with another server, run by run.

const SCREENS = {
  phone: PHONE,
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
} as const;
type Screen = keyof typeof SCREENS;
/** As often as a server sends standings (SPEC L2). */
const UPDATE_MS = 100;
/** The votes that arrive with each update. */
const VOTES_PER_UPDATE = 20;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

const { values } = parseArgs({
  options: {
    origin: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    games: { type: 'string', default: '8,30,200' },
  },
});

await using goty = await startStandalone();
await using browser = await openBrowser();

const rows: Record<string, Row> = {};
for (const screen of ['phone', 'desktop'] as const) {
  for (const games of values.games.split(',').map(Number)) {
    rows[`${screen}, ${games} games`] = await measure(screen, games);
  }
}
console.table(rows);

/** The servers take turns, so that a disturbance affects all of them. */
async function measure(screen: Screen, games: number): Promise<Row> {
  const rates = new Map([...values.origin, goty.address].map((origin) => [origin, [] as number[]]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [origin, measured] of rates) {
      measured.push(await framesPerSecond(origin, screen, games));
    }
  }
  const cells = [...rates].map(([origin, measured]) => [
    origin === goty.address ? 'frames/s' : origin,
    Math.round(median(measured)),
  ]);
  return Object.fromEntries(cells);
}

/** Opens inicio while votes arrive. */
async function framesPerSecond(origin: string, screen: Screen, games: number): Promise<number> {
  await using context = await browser.newContext({ ...SCREENS[screen], locale: 'es' });
  const page = await context.newPage();
  await page.addInitScript(fakeEventSource, { games, UPDATE_MS, VOTES_PER_UPDATE });
  await page.goto(`${origin}/inicio`);
  await page.locator('canvas').waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
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
    readonly #timer = setInterval(() => this.#send(), UPDATE_MS);
    #send() {
      for (let vote = 0; vote < VOTES_PER_UPDATE; vote += 1) {
        const game = standings[Math.floor(Math.random() * games)];
        if (game) game.votos += 1;
      }
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}
