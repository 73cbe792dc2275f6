import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints the medians of frames per second. `--origin http://…` compares with another server, run
// by run; `--heap 3` watches the heap for three minutes instead; `--trace FILE` writes a trace.

const { values } = parseArgs({
  options: {
    origin: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '3' },
    games: { type: 'string', default: '8,30,200' },
    heap: { type: 'string' },
    trace: { type: 'string' },
  },
});

const GAMES = values.games.split(',').map(Number);
const SCREENS = {
  // Lighthouse's phone.
  phone: { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 },
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
} as const;
const CPU_SLOWDOWN = 4;
/** As often as a server sends standings (SPEC L2). */
const UPDATE_MS = 100;
/** The votes that arrive with each update. */
const VOTES_PER_UPDATE = 20;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

const browserPath = await findBrowser();
if (!browserPath) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');
const folder = mkdtempSync(join(tmpdir(), 'goty-frames-'));
const goty = spawn(process.execPath, [resolve(import.meta.dirname, '../../../scripts/start.mjs')], {
  env: { ...process.env, PORT: '0', DATABASE: join(folder, 'goty.sqlite') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [firstLine = ''] = await once(createInterface(goty.stdout), 'line');
const own = /http:\/\/\S+/.exec(firstLine)?.[0];
if (!own) throw new Error(`GOTY did not start: ${firstLine}`);
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
});

if (values.heap === undefined) await measureFrames([...values.origin, own]);
else await measureHeap(own, Number(values.heap));

await browser.close();
goty.kill('SIGTERM');
await once(goty, 'exit');
rmSync(folder, { recursive: true });

/** The servers take turns, so that a disturbance affects all of them. */
async function measureFrames(origins: readonly string[]) {
  const rows: Record<string, Record<string, number>> = {};
  for (const screen of ['phone', 'desktop'] as const) {
    for (const games of GAMES) {
      const rates = origins.map((): number[] => []);
      for (let run = 0; run < Number(values.runs); run += 1) {
        for (const [at, origin] of origins.entries()) {
          const page = await open(browser, origin, screen, games);
          rates[at]?.push(await page.framesPerSecond());
          await page.close();
        }
      }
      rows[`${screen}, ${games} games`] = Object.fromEntries(
        origins.map((origin, at) => [
          origin === own ? 'frames/s' : origin,
          Math.round(median(rates[at] ?? [])),
        ]),
      );
    }
  }
  console.table(rows);
}

/** Prints the size of the heap, after a collection, every half minute. */
async function measureHeap(origin: string, minutes: number) {
  const page = await open(browser, origin, 'desktop', 30);
  const rows = [await page.heap()];
  while (rows.length <= 2 * minutes) {
    await page.wait(30_000);
    rows.push(await page.heap());
  }
  console.table(rows);
  await page.close();
}

async function open(within: Browser, origin: string, screen: keyof typeof SCREENS, games: number) {
  const context = await within.newContext({ ...SCREENS[screen], locale: 'es' });
  const page = await context.newPage();
  await page.addInitScript(fakeEventSource, { games, UPDATE_MS, VOTES_PER_UPDATE });
  await page.goto(`${origin}/inicio`);
  await page.locator('canvas').waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.waitForTimeout(WARM_UP_MS);
  return {
    async framesPerSecond() {
      const trace = values.trace === undefined ? undefined : await startTrace(devtools);
      const rate = await page.evaluate(
        (ms) =>
          new Promise<number>((done) => {
            let frames = 0;
            const start = performance.now();
            const count = (now: number) => {
              frames += 1;
              if (now - start < ms) requestAnimationFrame(count);
              else done((frames * 1_000) / (now - start));
            };
            requestAnimationFrame(count);
          }),
        MEASURE_MS,
      );
      if (trace) writeFileSync(`${values.trace}-${screen}-${games}.json`, await trace());
      return rate;
    },
    async heap() {
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
      return { 'heap kB': Math.round(usedSize / 1_000), nodes, listeners: jsEventListeners };
    },
    wait: (ms: number) => page.waitForTimeout(ms),
    close: () => context.close(),
  };
}

/** Returns a function that stops the trace and returns it. */
async function startTrace(devtools: CDPSession) {
  const events: unknown[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => void events.push(...value));
  await devtools.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-v8.cpu_profiler'],
    },
  });
  return async () => {
    const complete = new Promise((done) => devtools.once('Tracing.tracingComplete', done));
    await devtools.send('Tracing.end');
    await complete;
    return JSON.stringify({ traceEvents: events });
  };
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

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
