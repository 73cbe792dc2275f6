import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { startStandalone } from '../base/homes.ts';
import { interleave, median, openReport, ratiosOf, withSpread } from '../base/report.ts';
import { openBrowser, openPage, PHONE } from './visit.ts';

// `pnpm frames`: how fluent inicio stays on a slow phone and on a wide screen while votes arrive.
// Prints medians: frames a second, the time until the chart is there, and what the page's thread works for each
// update, animations included. Each stands beside that of eight games, the stage's beside that of the chart in a window of
// the same size.

const SCREENS = {
  phone: PHONE,
  desktop: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
};
const HALL = { viewport: { width: 1920, height: 1080 }, deviceScaleFactor: 1 };
const HALL_GAMES = 30;
/** The others stand beside the first. */
const GAMES = [8, 30, 200, 1_000];
/** As often as a server sends standings (SPEC L1). */
const UPDATE_MS = 100;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 4_000;

type Round = Awaited<ReturnType<typeof watch>>;

const report = openReport('frames', 3);
await using goty = await startStandalone();
await using browser = await openBrowser();
for (const [name, screen] of Object.entries(SCREENS)) {
  if (!report.isChosen(name)) continue;
  const all = await interleave(report.rounds, GAMES, (games) => watch(screen, games));
  for (const [at, games] of GAMES.entries()) add(name, games, all[at], all[0]);
}
if (report.isChosen('stage')) {
  const paths = ['/inicio', '/inicio#sala'];
  const all = await interleave(report.rounds, paths, (path) => watch(HALL, HALL_GAMES, path));
  add('chart in a hall', HALL_GAMES, all[0], all[0]);
  add('stage', HALL_GAMES, all[1], all[0]);
}
report.publish();

/** Adds a row with medians, and their ratios to other rounds of the same run. */
function add(screen: string, games: number, rounds: Round[] = [], others: Round[] = []) {
  const of = (all: Round[], figure: keyof Round) => all.map((round) => round[figure]);
  const beside = (figure: keyof Round) =>
    withSpread(ratiosOf(of(rounds, figure), of(others, figure)));
  report.add({
    screen,
    games,
    'frames/s': Math.round(median(of(rounds, 'frames'))),
    'frames beside': beside('frames'),
    'first chart, ms': Math.round(median(of(rounds, 'firstChart'))),
    'first chart beside': beside('firstChart'),
    'an update, ms': Math.round(median(of(rounds, 'update'))),
    'an update beside': beside('update'),
  });
}

/** Opens inicio or the stage while votes arrive. */
async function watch(screen: typeof PHONE, games: number, path = '/inicio') {
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
  await page.goto(`${goty.address}${path}`, { waitUntil: 'commit' });
  // At its frame: asked for afterwards, the page might be busy with the legend.
  const chart = await page.waitForFunction(
    () => document.querySelector('canvas, [data-scene] li') && performance.now(),
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

/** Replaces the event stream by one with 20 votes for random games in each change (SPEC L1). Runs in the page. */
function fakeEventSource({ standings, ms }: { standings: { votos: number }[]; ms: number }) {
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      if (!this.#hasAll) this.#send('message', standings);
      this.#hasAll = true;
      const changed = new Set<{ votos: number }>();
      for (let vote = 0; vote < 20; vote += 1) {
        const standing = standings[Math.floor(Math.random() * standings.length)];
        if (standing) changed.add(standing);
      }
      for (const standing of changed) standing.votos += 1;
      this.#send('change', [...changed]);
    }, ms);
    #hasAll = false;
    #send(type: string, rows: readonly object[]) {
      const event = new MessageEvent(type, { data: JSON.stringify(rows) });
      if (type === 'message') this.onmessage?.(event);
      else this.dispatchEvent(event);
    }
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}
