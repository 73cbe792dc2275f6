import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { startStandalone } from '../base/homes.ts';
import { interleave, median, openReport, ratiosOf, withSpread } from '../base/report.ts';
import { openBrowser, openPage, PHONE } from './visit.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints medians: frames a second, the time until the chart is there, and what the page's thread works for each
// update, animations included. The last two stand beside those of eight games.

const SCREENS = {
  phone: PHONE,
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
};
/** The others stand beside the first. */
const GAMES = [8, 30, 200, 1_000];
/** As often as a server sends standings (SPEC L1). */
const UPDATE_MS = 100;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

const report = openReport('frames', 3);
await using goty = await startStandalone();
await using browser = await openBrowser();
for (const [name, screen] of Object.entries(SCREENS)) {
  if (!report.isChosen(name)) continue;
  const all = await interleave(report.rounds, GAMES, (games) => watch(screen, games));
  const of = (at: number, figure: 'frames' | 'firstChart' | 'update') =>
    (all[at] ?? []).map((round) => round[figure]);
  for (const [at, games] of GAMES.entries()) {
    const besideFew = (figure: 'firstChart' | 'update') =>
      withSpread(ratiosOf(of(at, figure), of(0, figure)));
    report.add({
      screen: name,
      games,
      'frames/s': Math.round(median(of(at, 'frames'))),
      'first chart, ms': Math.round(median(of(at, 'firstChart'))),
      'first chart beside 8 games': besideFew('firstChart'),
      'an update, ms': Math.round(median(of(at, 'update'))),
      'an update beside 8 games': besideFew('update'),
    });
  }
}
report.publish();

/** Opens inicio while votes arrive. */
async function watch(screen: typeof PHONE, games: number) {
  const page = await openPage(browser, screen);
  await using _context = page.context();
  const standings = Array.from({ length: games }, (_, index) => ({
    id: `game-${String(index).padStart(4, '0')}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
  await page.addInitScript(fakeEventSource, { standings, ms: UPDATE_MS });
  await page.route(`**${API_PREFIX}${API_PATHS.standings}`, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, standings } });
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
  const frames = await page.evaluate(countFrames, MEASURE_MS);
  const update = ((await worked()) - before) / (MEASURE_MS / UPDATE_MS);
  return { frames, firstChart, update };
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

/** Replaces the event stream by one with 20 votes for random games in each update. Runs in the page. */
function fakeEventSource({ standings, ms }: { standings: { votos: number }[]; ms: number }) {
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      for (let vote = 0; vote < 20; vote += 1) {
        const game = standings[Math.floor(Math.random() * standings.length)];
        if (game) game.votos += 1;
      }
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }, ms);
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}
