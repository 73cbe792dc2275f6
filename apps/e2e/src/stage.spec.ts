import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { expect, NOMINEES, test } from '../testing/goty-test.ts';
import type { FakeStatus, LiveBackend } from '../testing/live-backend.ts';
import { countRequests, gate } from '../testing/network.ts';
import { askForStatus } from '../testing/states.ts';
import { openInicio, passTime } from '../testing/steps.ts';

const STAGE = '/inicio#sala';
const COVER = {
  contentType: 'image/svg+xml',
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>',
};
const OVERLAY = '/inicio#directo';
/** Longer than the winner is shown before the podium. */
const PAST_WINNER_MS = 6_000;
const LONG_NAME = 'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim();

/** So many games, the first of which leads: with a long name, and one that is written from right to left. */
function gamesOf(count: number): Standing[] {
  const names = [LONG_NAME, 'لعبة السنة', 'Hades II', 'Clair Obscur: Expedition 33'];
  return Array.from({ length: count }, (_, at) => ({
    id: `g${String(at).padStart(3, '0')}`,
    name: names[at] ?? `Kingdom Come: Deliverance ${at}`,
    votos: 812_345 - 1_234 * at,
  }));
}

const scene = (page: Page, name: string) => page.locator(`main[data-scene=${name}]`);
const rows = (page: Page) => page.locator('main ul > li');

async function openStage(page: Page, live: LiveBackend, games: Standing[], status?: FakeStatus) {
  await live.fakeStandings(games, status);
  await page.goto(STAGE);
  await expect(rows(page).first()).toBeVisible();
}

test('W16 W62 on a slow line no frame of the stage shows the bar, and Chart.js is never loaded', async ({
  page,
  live,
}) => {
  await live.fakeStandings(gamesOf(8));
  await page.addInitScript(watchBar);
  const requests = countRequests(page);
  const openStyles = await gate(page, /main-.*\.css/);
  const openMain = await gate(page, /main-.*\.js/);
  const openScript = await gate(page, /stage-.*\.js/);
  // Chromium knows the target of an address once it has been told that the HTML is over.
  await page.goto(STAGE, { waitUntil: 'domcontentloaded' });
  openStyles();
  const loading = page.locator('#sala');
  await expect(loading).toBeVisible();
  await expect(loading).toHaveText(texts.inicio.status.loading);
  openMain();
  await expect(page.locator('header')).toHaveCount(0);
  await expect(loading).toBeVisible();
  openScript();
  await expect(rows(page)).toHaveCount(8);
  await expect(loading).toHaveCount(0);
  expect(await countBars(page)).toBe(0);
  expect(requests(/\/(chart|results)-/)).toBe(0);
  // Without the fragment it is there.
  await page.goto('/goty');
  await page.goto('/inicio');
  await expect(page.getByRole('navigation')).toBeVisible();
  await expect.poll(() => countBars(page)).toBeGreaterThan(0);
});

/** Marks each frame in which the navigation bar is seen. Runs in the page. */
function watchBar() {
  const look = () => {
    if (document.querySelector('header')?.checkVisibility()) performance.mark('bar');
    requestAnimationFrame(look);
  };
  look();
}

function countBars(page: Page) {
  return page.evaluate(() => performance.getEntriesByName('bar').length);
}

test('W62 the stage has its typeface from its first frame on or never, and other screens do not load it', async ({
  page,
  live,
}) => {
  await live.fakeStandings(gamesOf(8));
  const requests = countRequests(page);
  await openInicio(page);
  expect(requests(/woff2/)).toBe(0);
  const openFont = await gate(page, /woff2/);
  await page.goto('about:blank');
  await page.goto(STAGE);
  const families = () => page.evaluate(() => [...document.fonts].map(({ family }) => family));
  // It comes too late.
  await expect(rows(page)).toHaveCount(8);
  const arrival = page.waitForResponse(/woff2/);
  openFont();
  await (await arrival).finished();
  expect(await families()).toEqual([]);
  // Now the stage waits for it, however slow this machine is.
  await page.addInitScript(() => {
    const set = window.setTimeout;
    const setPatient = (run: TimerHandler, ms?: number) => set(run, ms === 1_500 ? 60_000 : ms);
    Object.assign(window, { setTimeout: setPatient });
  });
  await page.reload();
  await expect(rows(page)).toHaveCount(8);
  expect(await families()).toEqual(['Figtree']);
});

test('W62 a link fills the screen with the stage, where the pointer hides, and leaving that leads back', async ({
  page,
  live,
}) => {
  await live.fakeStandings(gamesOf(8));
  await page.setViewportSize({ width: 1023, height: 800 });
  await openInicio(page);
  const link = page.getByRole('link', { name: resultTexts.fullScreen });
  await expect(link).toBeHidden();
  await page.setViewportSize({ width: 1024, height: 800 });
  await link.click();
  await expect(rows(page)).toHaveCount(8);
  await expect(page).toHaveURL(STAGE);
  const root = page.locator('html');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML');
  await expect(root).toHaveCSS('cursor', 'none');
  let moves = 0;
  await expect(async () => {
    // The pointer is seen for 3 s after each move.
    moves += 1;
    await page.mouse.move(200 + moves, 200);
    expect(await root.evaluate((html) => getComputedStyle(html).cursor)).toBe('auto');
  }).toPass();
  await page.evaluate(() => document.exitFullscreen());
  await expect(page).toHaveURL('/inicio');
  await expect(page.getByRole('heading', { name: texts.inicio.heading })).toBeVisible();
  await expect(root).toHaveCSS('cursor', 'auto');
});

const SIZES = [
  [1280, 720],
  [1366, 768],
  [1600, 900],
  [1920, 1080],
  [3840, 2160],
  [2560, 1080],
  [1024, 768],
  [1080, 1920],
] as const;
/** As many rows fit at all of these. */
const COUNT = 8;

test('W147 at every size as many rows as fit are whole, and nothing is outside or cut', async ({
  page,
  live,
}) => {
  const status = { closesAt: Date.now() + 3_000_000 };
  await openStage(page, live, gamesOf(30), status);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const isPortrait = height > width;
    const at = `${width} × ${height}`;
    await expect.poll(() => page.evaluate(countWhole), at).toBe(COUNT);
    await expect(page.getByText(resultTexts.more(`${30 - COUNT}`, ''))).toBeVisible();
    // Those that are told as a number have no text of their own.
    const rowTexts = () => page.locator('main ul > li').allInnerTexts();
    await expect.poll(async () => (await rowTexts()).filter(Boolean).length, at).toBe(COUNT);
    await expect.poll(() => page.evaluate(faults), at).toEqual([]);
    expect(await page.evaluate(smallestType), at).toBeGreaterThan(height / (isPortrait ? 41 : 30));
    const code = await page.getByRole('img', { name: /QR/ }).boundingBox();
    expect(code?.width, at).toBeCloseTo(isPortrait ? 0.4 * width : 0.42 * height, 0);
  }
  for (const games of [1, 3, 8, 200]) {
    await live.fakeStandings(gamesOf(games), status);
    await askForStatus(page);
    for (const [width, height] of [
      [1920, 1080],
      [1080, 1920],
    ] as const) {
      await page.setViewportSize({ width, height });
      const at = `${games} at ${width} × ${height}`;
      await expect.poll(() => page.evaluate(countWhole), at).toBe(Math.min(games, COUNT));
      await expect.poll(() => page.evaluate(faults), at).toEqual([]);
    }
  }
});

/** How many rows are seen, none of which may be cut. Runs in the page. */
function countWhole() {
  const { top = 0, bottom = 0 } = document.querySelector('main ul')?.getBoundingClientRect() ?? {};
  const boxes = [...document.querySelectorAll('main ul > li')].map((row) =>
    row.getBoundingClientRect(),
  );
  const seen = boxes.filter((box) => box.top < bottom - 1);
  return seen.every((box) => box.top > top - 1 && box.bottom < bottom + 1) ? seen.length : -1;
}

/** What is outside the window, or is cut without being a name. Runs in the page. */
function faults() {
  const bottom = document.querySelector('main ul')?.getBoundingClientRect().bottom ?? Infinity;
  return [...document.querySelectorAll<HTMLElement>('main, main *')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    const row = element.closest('ul > li')?.getBoundingClientRect().top ?? 0;
    // It waits below the edge. A blurred cover is larger than its frame.
    if (row > bottom - 1 || element.matches('.visually-hidden, .visually-hidden *, img')) return [];
    const isOut =
      Math.min(box.left, box.top) < -1 ||
      box.right > window.innerWidth + 1 ||
      box.bottom > window.innerHeight + 1;
    // A font's letters may be higher than a line of 1.0, but a second line is cut.
    // Only a name is cut, with its place or without.
    const isCut =
      !element.querySelector('bdi') &&
      element.scrollHeight > 1.5 * element.clientHeight &&
      element.matches('h1, h1 + p, b, span, p');
    return isOut || isCut ? [element.outerHTML.slice(0, 120)] : [];
  });
}

/** Runs in the page. */
function smallestType() {
  const texts = [...document.querySelectorAll('main *:not(.visually-hidden, .visually-hidden *)')];
  const shown = texts.filter(
    ({ childElementCount, textContent }) => childElementCount === 0 && textContent?.trim(),
  );
  return Math.min(...shown.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)));
}

test('W127 W147 a new leader glides to the top, and moves nothing else', async ({ page, live }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const games = gamesOf(8);
  await page.clock.install();
  await openStage(page, live, games);
  const names = () => rows(page).locator('bdi').allTextContents();
  const boxes = () =>
    Promise.all(
      [page.locator('main ul'), page.getByRole('img', { name: /QR/ })].map((part) =>
        part.boundingBox(),
      ),
    );
  const topOf = async (at: number) => (await rows(page).nth(at).boundingBox())?.y;
  await expect.poll(() => topOf(0)).toBe((await boxes())[0]?.y);
  const before = [await names(), await boxes()];
  await live.fakeStandings(
    games.map((game, at) => (at === 5 ? { ...game, votos: 900_000 } : game)),
  );
  const news = page.getByText(resultTexts.newLeader);
  await showForSeconds(page, news);
  await expect(page.locator('[data-sweep]')).toHaveCount(1);
  const { size, ...moved } = await news.evaluate((text) => {
    const all = [...document.querySelectorAll('main ul > li')];
    const row = all.find((each) => each.hasAttribute('data-news'));
    return {
      at: row && all.indexOf(row),
      glide: row && getComputedStyle(row).transitionDuration,
      size: Number.parseFloat(getComputedStyle(text).fontSize),
    };
  });
  expect(moved).toEqual({ at: 5, glide: '0.5s' });
  expect(size * 20).toBeGreaterThanOrEqual(page.viewportSize()?.height ?? Infinity);
  await page.clock.resume();
  await expect.poll(() => topOf(5)).toBe((await boxes())[0]?.y);
  await expect(news).toHaveCount(0);
  await expect(page.locator('[data-sweep]')).toHaveCount(0);
  expect([await names(), await boxes()]).toEqual(before);
  // A tie in between is no change.
  const tie = games.map((game) => ({ ...game, votos: 900_000 }));
  await live.fakeStandings(tie);
  await askForStatus(page);
  await expect(page.getByRole('heading', { name: resultTexts.ties })).toBeVisible();
  await expect(news).toHaveCount(0);
});

for (const path of [STAGE, OVERLAY]) {
  test(`W145 W146 W152 at ${path}, from the close to the winner nothing of the result is in the document, whatever a stream brings`, async ({
    page,
    live,
  }) => {
    const [first, second] = gamesOf(4).slice(2);
    if (!first || !second) throw new Error('There are no games.');
    const result = [first, { ...second, votos: 999_999 }];
    await page.addInitScript(streamOf, result);
    await page.addInitScript(recordTexts);
    const status: FakeStatus = { closesAt: Date.now() + 3_000_000 };
    await live.fakeStandings([first, second], status);
    await page.clock.install();
    await page.goto(path);
    await expect(scene(page, 'live')).toBeVisible();
    await showLastSeconds(page, status);
    await page.clock.resume();
    await expect(scene(page, 'counting')).toBeVisible();
    await live.fakeStandings(result, status);
    await askForStatus(page);
    status.final = true;
    await showForSeconds(page, scene(page, 'winner'));
    await expect(page.getByText(resultTexts.winner, { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: second.name, exact: true })).toBeVisible();
    await page.clock.resume();
    await page.clock.fastForward(PAST_WINNER_MS);
    await expect(scene(page, 'podium')).toBeVisible();
    // Who opens it a minute later sees the podium at once, and a press there plays the end again.
    status.closesAt = Date.now() - 60_000;
    await page.reload();
    await expect(scene(page, 'podium')).toBeVisible();
    expect(await told(page)).not.toContain('winner');
    await page.mouse.click(300, 300);
    await expect.poll(() => told(page)).toContain('winner');
    for (const text of await textsBeforeWinner(page))
      expect(text).toBe(texts.inicio.status.counting);
    // The other game's place is told before.
    const placed = (await recorded(page)).filter(([name]) => name === 'second' || name === 'dark');
    const words = placed.map(([, text = '']) => text).join('\n');
    expect(words).toContain(resultTexts.second);
    expect(words).toContain(first.name);
    expect(words).not.toContain(second.name);
    // Held, and then revealed.
    Object.assign(status, { closesAt: 2, frozenAt: 1, final: undefined, changes: 2 });
    await page.reload();
    await expect(scene(page, 'held')).toBeVisible();
    Object.assign(status, { frozenAt: undefined, final: true, changes: 3 });
    await askForStatus(page);
    await expect.poll(() => told(page)).toContain('winner');
    const seen = new Set(await textsBeforeWinner(page));
    expect(seen).toEqual(new Set([resultTexts.held, texts.inicio.status.counting]));
    // The operator resets the vote: what is spoken is what is shown.
    const spoken = page.getByRole('status');
    await page.clock.fastForward(PAST_WINNER_MS);
    await expect(scene(page, 'podium')).toBeVisible();
    await expect(spoken).toContainText(resultTexts.wins(second.name));
    const empty = [first, second].map((game) => ({ ...game, votos: 0 }));
    await live.fakeStandings(empty, status);
    status.changes = 4;
    await askForStatus(page);
    await expect(spoken).toHaveText(`${resultTexts.noneClosed}.`);
  });
}

/** Remembers each scene with all that the document says in it. Runs in the page. */
function recordTexts() {
  const seen: string[][] = [];
  Object.assign(window, { seen });
  new MutationObserver(() => {
    const main = document.querySelector('main[data-scene]');
    const said = [...document.querySelectorAll('main > *')].map(({ textContent }) => textContent);
    for (const text of said) seen.push([main?.getAttribute('data-scene') ?? '', text ?? '']);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** The scenes of the end that tell something, and how long the scene before each lasts, in milliseconds. */
const ENDING = [
  ['third', 2_000],
  ['second', 2_000],
  ['dark', 2_000],
  ['winner', 1_000],
] as const;

/** Plays the end again until a scene of it. */
async function playUntil(page: Page, last: string) {
  await expect(scene(page, 'podium')).toBeVisible();
  await holdScene(page);
  await scene(page, 'podium').click();
  await expect(scene(page, 'counting')).toBeVisible();
  for (const [name, ms] of ENDING) {
    await page.clock.runFor(ms);
    await expect(scene(page, name)).toBeVisible();
    if (name === last) return;
  }
}

/** Shows the last seconds of a vote, and holds the page's time, so that they do not pass on a busy machine. */
async function showLastSeconds(page: Page, status: FakeStatus) {
  await holdScene(page);
  await expect(async () => {
    // An answer that was already on its way knows of no close, and no timer asks again.
    status.closesAt = Date.now() + 9_000;
    await askForStatus(page);
    await expect(scene(page, 'last')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Asks for the status, and moves the page's time on in steps until it shows what in real time would be gone after some seconds. */
async function showForSeconds(page: Page, shown: Locator) {
  await holdScene(page);
  await askForStatus(page);
  await passTime(page, 1_000, (within) => expect(shown).toBeVisible(within));
}

/** No scene ends from now on. On a busy machine the moment to stop at may have passed before it is asked for. */
function holdScene(page: Page) {
  const pause = async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 500));
  return expect(pause).toPass();
}

function recorded(page: Page): Promise<string[][]> {
  return page.evaluate(() => Object(window).seen);
}

async function told(page: Page) {
  return (await recorded(page)).map(([name]) => name);
}

/** What the document has said from the close to the winner. */
async function textsBeforeWinner(page: Page): Promise<string[]> {
  const all = await recorded(page);
  const dark = all.filter(([name]) => name === 'held' || name === 'counting');
  expect(dark).not.toEqual([]);
  return dark.map(([, text = '']) => text);
}

/** Replaces the event stream by one that tells these standings ten times a second. Runs in the page. */
function streamOf(standings: Standing[]) {
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      const isClosed = document.querySelector('[data-reveal], [data-scene=held]');
      if (isClosed)
        this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }, 100);
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}

/** A wide hall, an old projector and a column. */
const PROPORTIONS = [
  [1920, 1080],
  [1024, 768],
  [1080, 1920],
] as const;

test('W145 W147 a tie of two or three has their covers, of more their number, whatever their proportions', async ({
  page,
  live,
}) => {
  const nominees = (games: Standing[]) =>
    games.map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
  await page.clock.install();
  for (const [winners, shown] of Object.entries({ 1: 1, 2: 2, 3: 3, 4: 0 })) {
    const games = gamesOf(5).map((game, at) => ({ ...game, votos: at < Number(winners) ? 9 : 1 }));
    const status: FakeStatus = { closesAt: 2, frozenAt: 1 };
    await page.unrouteAll();
    await live.fakeStandings(games, status);
    await page.route(NOMINEES, (route) => route.fulfill({ json: nominees(games) }));
    await page.goto('about:blank');
    await page.goto(STAGE);
    await expect(scene(page, 'held')).toBeVisible();
    delete status.frozenAt;
    Object.assign(status, { final: true, changes: 1 });
    await showForSeconds(page, scene(page, 'winner'));
    // Each is whole, before itself.
    const covers = scene(page, 'winner').locator('img:last-child');
    await expect(covers).toHaveCount(shown);
    for (const cover of await covers.all()) await expect(cover).toHaveCSS('object-fit', 'contain');
    if (shown === 0)
      await expect(page.getByText(resultTexts.games(4), { exact: true })).toBeVisible();
    await page.clock.resume();
    await page.clock.fastForward(PAST_WINNER_MS);
    await expect(scene(page, 'podium').locator('ol > li')).toHaveCount(shown === 0 ? 0 : 3);
    for (const [width, height] of PROPORTIONS) {
      await page.setViewportSize({ width, height });
      const at = `${winners} won at ${width} × ${height}`;
      await expect.poll(() => page.evaluate(countWhole), at).toBeGreaterThan(0);
      await expect.poll(() => page.evaluate(faults), at).toEqual([]);
    }
    const place = gamesBehind[winners];
    if (place) await expectPlace(page, ...place);
  }
});

/** By how many win: which place is told first, and of how many of the five games. */
const gamesBehind: Record<string, readonly [scene: string, games: number]> = {
  1: ['second', 4],
  2: ['third', 3],
};

/** Plays the end again until the first place that is told. */
async function expectPlace(page: Page, name: string, games: number) {
  await holdScene(page);
  await scene(page, 'podium').click();
  await expect(scene(page, 'counting')).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(scene(page, name)).toBeVisible();
  const covers = scene(page, name).locator('img:last-child');
  if (games > 3)
    await expect(page.getByText(resultTexts.games(games), { exact: true })).toBeVisible();
  else await expect(covers).toHaveCount(games);
  for (const [width, height] of PROPORTIONS) {
    await page.setViewportSize({ width, height });
    const at = `${name} of ${games} at ${width} × ${height}`;
    await expect.poll(() => page.evaluate(faults), at).toEqual([]);
  }
  await page.clock.resume();
}

/** Three names as long as real ones are. */
const LONG_NAMES = [
  'The Legend of Zelda: Tears of the Kingdom',
  'Warhammer 40,000: Space Marine II',
  'Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb',
].map((name, at) => ({ id: `g${at}`, name, votos: 500 - 100 * at }));
const HALLS = [
  [1920, 1080],
  [1280, 720],
  [1024, 768],
  [1280, 1024],
  [1080, 1920],
] as const;

test('W145 W147 names are whole wherever there is room, in every sentence', async ({
  page,
  live,
}) => {
  const [first, second] = LONG_NAMES.map(({ name }) => name);
  const status: FakeStatus = {};
  await openStage(page, live, LONG_NAMES, status);
  const title = page.getByRole('heading', { level: 1 });
  for (const name of ['live', 'podium']) {
    await expect(scene(page, name)).toBeVisible();
    for (const [width, height] of HALLS) {
      await page.setViewportSize({ width, height });
      const at = `${name} at ${width} × ${height}`;
      await expect(title, at).toContainText(first ?? '');
      await expect(page.locator('h1 + p'), at).toContainText(second ?? '');
      await expect.poll(() => page.evaluate(faults), at).toEqual([]);
      await expect.poll(() => page.locator('bdi').evaluateAll(whatIsCut), at).toEqual([]);
    }
    Object.assign(status, { closesAt: 2, final: true, changes: 1 });
    await askForStatus(page);
  }
});

/** Which of these elements are cut. Runs in the page. */
function whatIsCut(elements: Element[]) {
  const isCut = (box: Element) =>
    getComputedStyle(box).display !== 'inline' &&
    // In some fonts, letters stand out of their line, by less than a fifth of their size.
    (box.scrollWidth > box.clientWidth + 1 ||
      box.scrollHeight > box.clientHeight + Number.parseFloat(getComputedStyle(box).fontSize) / 5);
  return elements.filter(isCut).map(({ outerHTML }) => outerHTML);
}

test('W119 W147 at every size the countdown is whole', async ({ page, live }) => {
  await live.fakeStandings(LONG_NAMES, { opensAt: Date.now() + 100_000_000 });
  await page.goto(STAGE);
  const tiles = page.getByRole('timer').locator('> span');
  await expect(tiles).toHaveCount(4);
  for (const [width, height] of HALLS) {
    await page.setViewportSize({ width, height });
    const at = `${width} × ${height}`;
    await expect.poll(() => page.evaluate(faults), at).toEqual([]);
    await expect.poll(() => tiles.evaluateAll(whatIsCut), at).toEqual([]);
  }
});

test('W147 an address breaks only before its dots and slashes', async ({ page, live }) => {
  await nameEvent(page, 'GOTY', 'votaciones.gala.example.com');
  await openStage(page, live, LONG_NAMES);
  const parts = page.getByRole('complementary').locator('[translate=no] > *');
  for (const [width, height] of HALLS) {
    await page.setViewportSize({ width, height });
    const countLines = () =>
      parts.evaluateAll((all) =>
        all.map((part) => [...part.getClientRects()].filter((line) => line.width > 0).length),
      );
    await expect.poll(countLines, `${width} × ${height}`).toEqual([1, 1, 1, 1, 1]);
  }
});

test('W145 while the result is held, all covers are loaded, and the winner has theirs at once', async ({
  page,
  live,
}) => {
  const covers = countRequests(page);
  const status: FakeStatus = { closesAt: 2, frozenAt: 1 };
  const games = gamesOf(30).map((game, at) => ({ ...game, votos: (at * 7) % 30 }));
  await live.fakeStandings(games, status);
  const json = games.map(({ id, name }) => ({ id, name, url: `/covers/${id}.svg` }));
  await page.route(NOMINEES, (route) => route.fulfill({ json }));
  await page.route('**/covers/*', (route) => route.fulfill(COVER));
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('[data-scene=winner] img')];
      const loaded = images.map(({ complete, naturalWidth }) => complete && naturalWidth === 16);
      if (loaded.length > 0 && !('loaded' in window)) Object.assign(window, { loaded });
      const pieces = document.querySelectorAll('.burst > i').length;
      if (pieces > 0) Object.assign(window, { pieces });
    }).observe(document, { subtree: true, childList: true });
  });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(STAGE);
  await expect(scene(page, 'held')).toBeVisible();
  await expect.poll(() => covers(/covers/)).toBe(30);
  // The wall of covers tells nothing of the result: it is in the order of the ids.
  const wall = await page.locator('[data-scene=held] [data-initials] > img:last-child').all();
  const shown = await Promise.all(wall.map((cover) => cover.getAttribute('src')));
  expect(shown).toEqual(json.map(({ url }) => url));
  for (const cover of wall) await expect(cover).toHaveJSProperty('naturalWidth', 16);
  delete status.frozenAt;
  Object.assign(status, { final: true, changes: 1 });
  await expect.poll(() => page.evaluate(() => Object(window).pieces)).toBe(140);
  expect(await page.evaluate(() => Object(window).loaded)).toEqual([true, true]);
});

test('W145 W147 the hall shows who leads above the code and until when below it, keeps the code to the last second, and its wall while votes are counted', async ({
  page,
  live,
}) => {
  const status: FakeStatus = { closesAt: Date.now() + 1_800_000 };
  const games = gamesOf(8).map((game, at) => ({ ...game, votos: at }));
  await live.fakeStandings(games, status);
  const json = games.map(({ id, name }) => ({ id, name, url: `/covers/${id}.svg` }));
  await page.route(NOMINEES, (route) => route.fulfill({ json }));
  await page.route('**/covers/*', (route) => route.fulfill(COVER));
  await page.clock.install();
  await page.goto(STAGE);
  const side = page.getByRole('complementary');
  const face = side.locator('[data-initials] > img').last();
  await expect(face).toHaveAttribute('src', `/covers/${games[7]?.id}.svg`);
  await expect(side.getByRole('timer')).toBeVisible();
  // Nobody leads in a secret count.
  status.frozenAt = Date.now() - 1_000;
  await expect(scene(page, 'frozen')).toBeVisible();
  await expect(face).toBeHidden();
  await showLastSeconds(page, status);
  await expect(page.getByText(resultTexts.lastSeconds)).toBeVisible();
  await expect(side.getByRole('img')).toBeVisible();
  delete status.frozenAt;
  await page.clock.resume();
  await expect(scene(page, 'counting')).toBeVisible();
  await expect(scene(page, 'counting').locator('[data-initials]')).toHaveCount(8);
});

/** A lower third, a column and a corner bug. */
const SHAPES = [
  [1920, 300],
  [480, 1080],
  [480, 160],
] as const;

/** Names the event, which `GOTY` does not, and gives the page another address, and perhaps the event a colour. */
async function nameEvent(page: Page, name: string, host = 'goty.example', color = '') {
  await page.route('**/inicio', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replaceAll('goty.example', host);
    const named = html.replace('content="GOTY"', `content="${name}"`);
    await route.fulfill({
      response,
      body: named.replace('data-color=""', `data-color="${color}"`),
    });
  });
}

test('W152 in every scene and shape the overlay paints its dark plates and nothing else, no text leaves them, and nothing is cut', async ({
  page,
  live,
}) => {
  const eventName = 'Gala de los Premios del Público de la Revista, edición 2026!';
  expect(eventName).toHaveLength(60);
  await nameEvent(page, eventName, 'votaciones.premios-del-publico.example.com');
  const now = Date.now();
  const scenes: Record<string, FakeStatus> = {
    waiting: { opensAt: now + 100_000_000 },
    live: { closesAt: now + 3_000_000 },
    frozen: { closesAt: now + 10_000_000_000, frozenAt: now - 1_000 },
    last: { closesAt: now + 3_000_000 },
    held: { closesAt: 2, frozenAt: 1 },
    podium: { closesAt: 2, final: true },
    ...Object.fromEntries(ENDING.map(([name]) => [name, { closesAt: 2, final: true }])),
  };
  const status: FakeStatus = {};
  // The sentence about a winner has two names. These are as long as six lines of a column.
  const name = LONG_NAME.slice(0, 113);
  const games = gamesOf(30).map((game, at) => (at < 2 ? { ...game, name } : game));
  await live.fakeStandings(games, status);
  await page.clock.install();
  // What a mixer prefers changes nothing, nor does a high contrast.
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  for (const [wantedScene, wanted] of Object.entries(scenes)) {
    Object.assign(status, { opensAt: undefined, frozenAt: undefined, final: undefined }, wanted);
    await page.goto('about:blank');
    await page.goto(OVERLAY);
    if (ENDING.some(([name]) => name === wantedScene)) await playUntil(page, wantedScene);
    if (wantedScene === 'last') {
      await expect(scene(page, 'live')).toBeVisible();
      await showLastSeconds(page, status);
    }
    await expect(scene(page, wantedScene)).toBeVisible();
    await holdScene(page);
    for (const [width, height] of SHAPES) {
      await page.setViewportSize({ width, height });
      const at = `${wantedScene} at ${width} × ${height}`;
      await expect.poll(() => page.evaluate(faults), at).toEqual([]);
      await expect.poll(() => page.evaluate(strayTexts), at).toEqual([]);
      if (wantedScene !== 'held' && height !== 160) {
        const event = await page.getByText(eventName).boundingBox();
        expect(event?.width, at).toBeGreaterThan(250);
      }
      const picture = (await page.screenshot({ omitBackground: true })).toString('base64');
      const { inside, outside } = await page.evaluate(alphaOf, picture);
      // A sentence in a corner is a plate as large as the window.
      expect({ inside, painted: outside.filter(Boolean) }, at).toEqual({
        inside: [255],
        painted: [],
      });
    }
    await page.clock.resume();
  }
});

test('W152 before its script is there the overlay paints nothing', async ({ page, live }) => {
  await live.fakeStandings(gamesOf(8));
  const openScript = await gate(page, /stage-.*\.js/);
  await page.goto(OVERLAY);
  await expect(page.locator('header')).toHaveCount(0);
  const picture = (await page.screenshot({ omitBackground: true })).toString('base64');
  expect(await page.evaluate(alphaOf, picture)).toEqual({ inside: [], outside: [0] });
  openScript();
  await expect(rows(page).nth(2)).toBeVisible();
});

test('W152 the overlay tells the leader and the next two, until when, and where one votes', async ({
  page,
  live,
}) => {
  await page.setViewportSize({ width: 1920, height: 300 });
  await page.emulateMedia({ colorScheme: 'light' });
  await live.fakeStandings(gamesOf(30), { closesAt: Date.now() + 600_000 });
  await page.clock.install();
  await page.goto(OVERLAY);
  await expect.poll(() => page.evaluate(countWhole)).toBe(3);
  const aside = page.getByRole('complementary');
  await expect(aside).toContainText(texts.inicio.status.open);
  await expect(aside).toContainText(/Termina en \d.min/);
  await expect(aside).toContainText('goty.example/goty');
  await expect(aside.getByRole('img', { name: /QR/ })).toBeVisible();
  // Dark, whatever is preferred.
  await expect(aside).toHaveCSS('background-color', 'rgb(14, 10, 31)');
  await expect(aside.getByRole('heading')).toHaveCSS('color', 'rgb(244, 241, 255)');
  await expect(page.getByText(resultTexts.more('', ''))).toHaveCount(0);
  // A freeze tells nothing of who leads, nor do its last seconds.
  const status: FakeStatus = { closesAt: Date.now() + 600_000, frozenAt: 1, changes: 1 };
  await live.fakeStandings(gamesOf(30), status);
  await askForStatus(page);
  for (const name of ['frozen', 'last']) {
    if (name === 'last') await showLastSeconds(page, status);
    await expect(scene(page, name)).toBeVisible();
    await expect(page.getByRole('heading', { name: resultTexts.frozen })).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
  }
});

test('W152 the overlay says how many lead if these are more than its rows, and keeps to the safe area', async ({
  page,
  live,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const games = gamesOf(8).map((game, at) => ({ ...game, votos: at < 5 ? 7 : 1 }));
  await live.fakeStandings(games, { closesAt: Date.now() + 600_000 });
  await page.goto(OVERLAY);
  await expect(page.getByRole('heading', { name: resultTexts.ties })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  const rects = await page
    .locator('main > :not([role])')
    .evaluateAll((plates) => plates.map((plate) => plate.getBoundingClientRect().toJSON()));
  expect(rects).toHaveLength(2);
  for (const { left, right, bottom } of rects) {
    expect(Math.min(left, 1920 - right)).toBeGreaterThanOrEqual(67);
    expect(1080 - bottom).toBeGreaterThanOrEqual(37.8);
  }
});

/** What is written outside of its plate, or on a plate of another colour. Runs in the page. */
function strayTexts() {
  return [...document.querySelectorAll('main > :not([role])')].flatMap((plate) => {
    const edge = plate.getBoundingClientRect();
    const isStray = (text: Node) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      let { left, right, top, bottom } = range.getBoundingClientRect();
      for (let box = text.parentElement; box && box !== plate; box = box.parentElement) {
        if (getComputedStyle(box).overflow === 'visible') continue;
        const clip = box.getBoundingClientRect();
        left = Math.max(left, clip.left);
        right = Math.min(right, clip.right);
        top = Math.max(top, clip.top);
        bottom = Math.min(bottom, clip.bottom);
      }
      const isSeen = left < right && top < bottom;
      const isIn = left >= edge.left && right <= edge.right && top >= edge.top;
      return isSeen && !(isIn && bottom <= edge.bottom);
    };
    const walker = document.createTreeWalker(plate, NodeFilter.SHOW_TEXT);
    const stray: string[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      if (isStray(text)) stray.push(text.textContent ?? '');
    }
    const { backgroundColor, color } = getComputedStyle(plate);
    const isDark = backgroundColor === 'rgb(14, 10, 31)' && color === 'rgb(244, 241, 255)';
    return isDark ? stray : [backgroundColor, color, ...stray];
  });
}

/** The alpha of a picture's pixels, inside of the plates' inner halves, and outside of the plates. Runs in the page. */
async function alphaOf(picture: string) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas?.drawImage(image, 0, 0);
  const pixels = canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
  const plates = [...document.querySelectorAll('main > :not([role])')].map((plate) =>
    plate.getBoundingClientRect(),
  );
  const inside = new Set<number>();
  const outside = new Set<number>();
  for (let at = 0; at < image.width * image.height; at += 1) {
    const x = at % image.width;
    const y = Math.floor(at / image.width);
    const alpha = pixels[4 * at + 3] ?? -1;
    if (alpha === 0 && outside.has(0) && !plates.some(({ top, bottom }) => y > top && y < bottom))
      continue;
    const isWithin = (margin: number) =>
      plates.some(
        ({ left, right, top, bottom }) =>
          x >= left + margin && x < right - margin && y >= top + margin && y < bottom - margin,
      );
    // Edges are smoothed.
    if (!isWithin(-2)) outside.add(alpha);
    else if (isWithin(20)) inside.add(alpha);
  }
  return { inside: [...inside], outside: [...outside] };
}

test("W62 W154 the event's name and colour stand on stage and overlay", async ({ page, live }) => {
  const name = 'Gala de la Revista 2026';
  await nameEvent(page, name, 'goty.example', '#ffb000');
  await live.fakeStandings(gamesOf(8));
  for (const path of [STAGE, OVERLAY]) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page.getByText(name)).toBeVisible();
    const edge = path === STAGE ? page.locator('main') : page.getByRole('complementary');
    const side = path === STAGE ? 'border-top-color' : 'border-left-color';
    await expect(edge).toHaveCSS(side, 'rgb(255, 176, 0)');
    await expect(rows(page).first()).toBeVisible();
    await expect.poll(() => page.evaluate(faults)).toEqual([]);
  }
});

test('W96 W147 without an address that others can open there is no code, nor a hint', async ({
  page,
  live,
}) => {
  await nameEvent(page, 'GOTY', 'localhost');
  await openStage(page, live, gamesOf(30));
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await expect.poll(() => page.evaluate(countWhole)).toBe(8);
  await expect.poll(() => page.evaluate(faults)).toEqual([]);
});

test('W127 W147 at 100 votes a second, no two figures on the stage disagree', async ({
  page,
  live,
}) => {
  const games = gamesOf(30).map((game) => ({ ...game, votos: 90 }));
  await live.fakeStandings(games);
  await page.addInitScript(fakeVotes, games);
  await page.goto(STAGE);
  await expect(rows(page).first()).toBeVisible();
  expect(await page.evaluate(countDisagreements, 3)).toEqual({ snapshots: 3, disagreements: [] });
});

/** Replaces the event stream by one with 100 votes a second, most for those behind. Runs in the page. */
function fakeVotes(standings: { votos: number }[]) {
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      for (let vote = 0; vote < 10; vote += 1) {
        const game = standings[Math.floor(Math.random() ** 2 * standings.length)];
        if (game) game.votos += 1;
      }
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }, 100);
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}

/** Compares headline, rows, the line below them and the total in each frame, until they have changed so often. Runs in the page. */
async function countDisagreements(changes: number) {
  const numbers = (said = '') => said.replaceAll('.', '').match(/\d+/g)?.map(Number) ?? [];
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? '';
  const totals = new Set<number>();
  const disagreements: string[][] = [];
  while (totals.size < changes) {
    await new Promise(requestAnimationFrame);
    const list = document.querySelector<HTMLElement>('main ul')?.parentElement;
    const count = Number(list?.style.getPropertyValue('--rows'));
    const placed = [...document.querySelectorAll<HTMLElement>('main li')].filter(
      (row) => Number(row.style.getPropertyValue('--at')) < count,
    );
    const votes = placed.map((row) => numbers(row.querySelector('b')?.textContent ?? '')[0] ?? 0);
    const [rest = 0, restVotes = 0] = numbers(text('main ul + p'));
    const [total = 0] = numbers(text('main [data-status]'));
    const title = text('h1');
    const detail = text('h1 + p');
    const leaders = placed.filter((row) => row.matches('[data-leader]'));
    const isNamed = leaders.every((row) =>
      (leaders.length > 1 ? detail : title).includes(
        (row.querySelector('bdi')?.textContent ?? '').slice(0, 20),
      ),
    );
    const sum = votes.reduce((all, one) => all + one, restVotes);
    const isOne =
      (isNamed || leaders.length > 3) &&
      numbers(detail).includes(Math.max(...votes)) &&
      placed.length + rest === 30 &&
      total === sum;
    totals.add(total);
    if (!isOne) disagreements.push([title, detail, String(votes), String(rest), String(total)]);
  }
  return { snapshots: totals.size, disagreements };
}
