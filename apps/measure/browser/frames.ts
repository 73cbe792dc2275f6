import { parseArgs } from 'node:util';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { publish, type Row } from '../base/report.ts';
import { startStandalone } from '../base/standalone.ts';
import { median, ratioOf } from '../base/statistics.ts';
import { openBrowser, openPage, PHONE } from './visit.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints medians: frames a second, the time until the chart is there, and what the page's thread works for each
// update, animations included. The last two stand beside those of eight games.

const SCREENS = {
  phone: PHONE,
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
};
const FEW = 8;
const GAMES = [FEW, 30, 200, 1_000];
/** As often as a server sends standings (SPEC L1). */
const UPDATE_MS = 100;
/** The votes that arrive with each update. */
const VOTES_PER_UPDATE = 20;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
await using goty = await startStandalone();
await using browser = await openBrowser();
const rows: Row[] = [];
for (const [name, screen] of Object.entries(SCREENS)) {
  const rounds = new Map<number, Awaited<ReturnType<typeof watch>>[]>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const games of GAMES) {
      rounds.set(games, [...(rounds.get(games) ?? []), await watch(screen, games)]);
    }
  }
  const of = (games: number, figure: 'frames' | 'firstChart' | 'update') =>
    (rounds.get(games) ?? []).map((round) => round[figure]);
  for (const games of GAMES) {
    rows.push({
      screen: name,
      games,
      'frames/s': Math.round(median(of(games, 'frames'))),
      'first chart, ms': Math.round(median(of(games, 'firstChart'))),
      'first chart beside 8 games': ratioOf(of(games, 'firstChart'), of(FEW, 'firstChart')),
      'an update, ms': Math.round(median(of(games, 'update'))),
      'an update beside 8 games': ratioOf(of(games, 'update'), of(FEW, 'update')),
    });
  }
}
publish('frames', rows, values.write);

/** Opens inicio while votes arrive. */
async function watch(screen: typeof PHONE, games: number) {
  const page = await openPage(browser, screen);
  await using _context = page.context();
  const standings = Array.from({ length: games }, (_, index) => ({
    id: `game-${String(index).padStart(4, '0')}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
  await page.addInitScript(fakeEventSource, { standings, UPDATE_MS, VOTES_PER_UPDATE });
  await page.route(`**${API_PREFIX}${API_PATHS.standings}`, async (route) => {
    const answer = await (await route.fetch()).json();
    const rows = standings.map(({ id, name, votos }) => [id, name, votos]);
    await route.fulfill({ json: { ...answer, standings: rows } });
  });
  await page.goto(`${goty.address}/inicio`, { waitUntil: 'commit' });
  // At its frame: asked for afterwards, the page might be busy with the legend.
  const chart = await page.waitForFunction(
    () => document.querySelector('canvas') && performance.now(),
  );
  const firstChart = (await chart.jsonValue()) ?? Number.NaN;
  await page.waitForTimeout(WARM_UP_MS);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await worked();
  const rate = await page.evaluate(countFrames, MEASURE_MS);
  return {
    frames: rate,
    firstChart,
    update: ((await worked()) - before) / (MEASURE_MS / UPDATE_MS),
  };
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
function fakeEventSource(options: {
  standings: { votos: number }[];
  UPDATE_MS: number;
  VOTES_PER_UPDATE: number;
}) {
  const { standings, UPDATE_MS, VOTES_PER_UPDATE } = options;
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      for (let vote = 0; vote < VOTES_PER_UPDATE; vote += 1) {
        const game = standings[Math.floor(Math.random() * standings.length)];
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
