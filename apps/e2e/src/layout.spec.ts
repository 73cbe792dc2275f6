import { shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { legendEntry } from '../testing/chart-parts.ts';
import {
  chart,
  expect,
  FAILED_REQUEST,
  GAME,
  markBursts,
  NOMINEES,
  test,
  voteButton,
} from '../testing/goty-test.ts';
import { PUBLIC_ORIGIN } from '../testing/home.ts';
import type { FakeStatus } from '../testing/live-backend.ts';
import { gate } from '../testing/network.ts';
import { askForStatus } from '../testing/states.ts';
import { closeDialog, follow, openGoty, openInicio, vote } from '../testing/steps.ts';

const LONG_NAME = 'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim();
const NAMES = [
  GAME,
  '<img src=x onerror=alert(1)>',
  'لعبة السنة',
  LONG_NAME,
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
];

test('W6 W13 cards stand in columns; no name overflows or is markup', async ({ page, live }) => {
  const games = NAMES.map((name, at) => ({ id: `g${at}`, name, votos: 12_345_678 * at }));
  await live.fakeStandings(games);
  const nominees = games.map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
  await page.route(NOMINEES, (route) => route.fulfill({ json: nominees }));
  await openGoty(page);
  const cards = page.getByRole('article');
  const columnsAt = { 320: 1, 375: 1, 700: 2, 1000: 3, 1024: 4, 1440: 4 };
  for (const [width, columns] of Object.entries(columnsAt).toReversed()) {
    await page.setViewportSize({ width: Number(width), height: 900 });
    const lefts = () =>
      cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().x));
    await expect.poll(async () => new Set(await lefts()).size, `at ${width} px`).toBe(columns);
    await expectNoOverflow(page);
  }
  for (const name of NAMES) {
    const card = page.getByRole('article', { name, exact: true });
    // It hides what does not fit into it.
    expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth), name).toBe(0);
  }
  const lines = await page
    .getByRole('heading', { level: 2, name: LONG_NAME })
    .evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight));
  expect(lines).toBeCloseTo(3, 0);
  await openInicio(page);
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expectNoOverflow(page);
});

async function expectNoOverflow(page: Page) {
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow, `at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

test('W5 W60 headline and legend come first; the chart moves nothing', async ({ page, live }) => {
  const lead = (votos: number) =>
    live.fakeStandings([
      { id: 'a', name: GAME, votos },
      { id: 'b', name: 'Split Fiction', votos: 1 },
    ]);
  await lead(2);
  const openChart = await gate(page, /\/chart-.*\.js/);
  await page.goto('/inicio');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(legendEntry(page, GAME)).toBeVisible();
  await expect(page.getByRole('button', { name: shareButtonTexts.share })).toBeVisible();
  await expect(chart(page)).toHaveCount(0);
  openChart();
  await expect(chart(page)).toBeVisible();
  expect(await findShifts(page)).toEqual([]);
  const total = page.getByRole('main').getByText('3 votos', { exact: true });
  const dot = await total.evaluate((text) => getComputedStyle(text, '::before').content);
  expect(dot).toContain('·');
  // The other game's number follows its bar, by a transform.
  await lead(3);
  await askForStatus(page);
  await expect(page.getByText('Con 3 votos (75 %)')).toBeVisible();
  expect(await findShifts(page)).toEqual([]);
});

/** An entry of type 'layout-shift', which TypeScript's DOM does not know. */
interface LayoutShift extends PerformanceEntry {
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** What has moved since the page was opened, and from where to where. */
function findShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const isShift = (entry: PerformanceEntry): entry is LayoutShift => 'sources' in entry;
        const describe = ({ node, previousRect, currentRect }: LayoutShift['sources'][number]) => {
          const moved = node instanceof Element ? node.outerHTML.slice(0, 200) : node?.nodeName;
          return `${moved} from ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
        };
        const seen = new PerformanceObserver((list) => {
          const shifts = list.getEntries().filter(isShift);
          resolve(shifts.map(({ sources }) => sources.map(describe).join('; ')));
        });
        seen.observe({ type: 'layout-shift', buffered: true });
        // Nothing is reported if nothing has moved: two frames later, all of it would have been.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([])));
      }),
  );
}

test('W46 W110 W120 neither a new lead nor sharing moves anything', async ({ page, live }) => {
  await page.context().grantPermissions(['clipboard-write']);
  const status = { closesAt: Date.now() + 100_000_000 };
  const lead = (...votes: number[]) => {
    const names = [GAME, 'Kingdom Come: Deliverance II', 'Clair Obscur: Expedition 33'];
    const ids = ['hades-2', 'kingdom-come-2', 'expedition-33'];
    const games = ids.map((id, at) => ({ id, name: names[at] ?? '', votos: votes[at] ?? 0 }));
    return live.fakeStandings(games, status);
  };
  const share = page.getByRole('button', { name: shareButtonTexts.share });
  for (const [width, height] of [
    [320, 844],
    [768, 1024],
    [1280, 900],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await lead(1_205, 1_204, 1_204);
    await openInicio(page);
    await expect(page.getByText(/^Termina /)).toBeVisible();
    // Without waiting for what is not shown.
    const topOf = async (part: Locator) =>
      (await part.isVisible()) ? (await part.boundingBox())?.y : undefined;
    const tops = () => Promise.all([chart(page), share].map(topOf));
    const headline = page.getByRole('heading', { level: 2 });
    const before = await tops();
    for (const [votes, title] of [
      [[1_205, 1_206, 1_204], 'Kingdom Come: Deliverance II va en cabeza'],
      [[1_206, 1_206, 1_206], 'Empate en cabeza'],
      [[1_207, 1_206, 1_206], `${GAME} va en cabeza`],
    ] as const) {
      await lead(...votes);
      await askForStatus(page);
      await expect(headline).toHaveText(title);
      expect(await tops(), `${title} at ${width} px`).toEqual(before);
    }
    // What it says may stand in a line of its own below the button.
    await share.evaluate((button) => button.scrollIntoView({ block: 'center' }));
    const scrolled = await tops();
    await share.click();
    await expect(page.getByText(shareButtonTexts.copied)).toBeInViewport();
    expect(await tops()).toEqual(scrolled);
    await expectNoOverflow(page);
    const cover = page.locator('main img[src$="hades-2.svg"]').first();
    await cover.scrollIntoViewIfNeeded();
    const text = await headline.boundingBox();
    const image = await cover.boundingBox();
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(image?.x ?? 0);
  }
});

test('W11 on a phone a lost connection moves nothing', async ({ page, live, expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.setViewportSize({ width: 390, height: 844 });
  const games = [{ id: 'a', name: GAME, votos: 12_345 }];
  await live.fakeStandings(games, { closesAt: Date.now() + 100_000_000 });
  await openInicio(page);
  const before = await chart(page).boundingBox();
  await page.route(live.poll, (route) => route.abort());
  await expect(page.getByText(texts.inicio.status.offline)).toBeVisible();
  expect(await chart(page).boundingBox()).toEqual(before);
});

test('W111 the winner is revealed on an open page, while links work', async ({ page, live }) => {
  const status: FakeStatus = {};
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const games = ['hades-2', 'split-fiction'].map((id, at) => ({ id, name: id, votos: 9 - at }));
  await live.fakeStandings(games, status);
  await openInicio(page);
  Object.assign(status, { closesAt: 1, final: true });
  await page.evaluate(markBursts);
  await askForStatus(page);
  await untilBurst(page);
  const cover = page.locator('[data-won] img[src$="hades-2.svg"]');
  const widthOf = async () => Math.round((await cover.boundingBox())?.width ?? 0);
  await expect(page.locator('.burst')).toHaveCount(0);
  await expect.poll(widthOf).toBe(420);
  for (const [width, size] of Object.entries({ 320: 239, 390: 309, 1280: 420, 1920: 420 })) {
    await page.setViewportSize({ width: Number(width), height: 900 });
    await openInicio(page);
    expect(await findShifts(page), `at ${width} px`).toEqual([]);
    await expect(page.locator('.burst')).toHaveCount(0);
    // Without bars at its sides.
    expect(await widthOf(), `at ${width} px`).toBe(size);
    await expectNoOverflow(page);
  }
  delete status.closesAt;
  await openInicio(page);
  Object.assign(status, { closesAt: 1, final: true });
  await askForStatus(page);
  await expect(page.getByRole('heading', { name: /es el juego del año/ })).toBeAttached();
  await follow(page, 'Votar');
  await expect(page).toHaveURL(/goty$/);
});

test('W111 from the reveal on, no frame shows the result before it has been counted, and a phone says so in sight', async ({
  page,
  live,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize({ width: 390, height: 844 });
  const status: FakeStatus = { closesAt: 2, frozenAt: 1 };
  const games = Array.from({ length: 30 }, (_, at) => ({
    id: `g${at}`,
    name: `Juego ${at}`,
    votos: 30 + at,
  }));
  await live.fakeStandings(games, status);
  await openInicio(page);
  await page.evaluate(markBursts);
  await page.evaluate(filmReveal, texts.inicio.status.counting);
  // Whoever searches in the page, or copies it, learns nothing earlier than those who look at it.
  const result = games.map((game, at) => ({ ...game, votos: 7_000 - at }));
  await live.fakeStandings(result, { closesAt: 2, final: true, changes: 1 });
  await askForStatus(page);
  await untilBurst(page);
  await expect(page.locator('main')).toContainText('1.º');
  const frames: Frame[] = await page.evaluate(() => Object(window).frames);
  const first = frames.findIndex(({ isHeld }) => !isHeld);
  const counted = frames.slice(first).filter(({ isCounting }) => isCounting);
  expect(first).toBeGreaterThan(0);
  expect(frames[first]).toEqual({
    isHeld: false,
    isCounting: true,
    opacity: 1,
    isInSight: true,
    hasResult: false,
  });
  for (const frame of counted) expect(frame).toEqual(frames[first]);
  expect(counted.length).toBeGreaterThan(1);
});

test('W111 W146 from the close until the result is final, votes are counted over the panel', async ({
  page,
  live,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const status: FakeStatus = {};
  const games = ['a', 'b'].map((id, at) => ({ id, name: id, votos: 9 - at }));
  await live.fakeStandings(games, status);
  await openInicio(page);
  status.closesAt = 1;
  await askForStatus(page);
  const words = page.locator('main p > span', { hasText: texts.inicio.status.counting });
  await expect(words).toBeInViewport();
  await expect(page.locator('table')).toBeAttached();
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.evaluate(markBursts);
  await page.evaluate(filmReveal, texts.inicio.status.counting);
  status.final = true;
  await askForStatus(page);
  await untilBurst(page);
  await expect(page.getByRole('table')).toHaveCount(1);
  const frames: Frame[] = await page.evaluate(() => Object(window).frames);
  const covered = frames.filter(({ isCounting }) => isCounting);
  expect(covered.map(({ opacity }) => opacity)).toEqual(covered.map(() => 1));
  expect(frames.slice(0, covered.length)).toEqual(covered);
});

interface Frame {
  readonly isHeld: boolean;
  /** Whether 'Contando los votos…' is written there, and in the window. */
  readonly isCounting: boolean;
  readonly isInSight: boolean;
  /** Of what covers the result. */
  readonly opacity: number;
  /** Whether places, or votes of the result, are anywhere in the document. */
  readonly hasResult: boolean;
}

function untilBurst(page: Page) {
  const bursts = () => performance.getEntriesByName('burst').length;
  return expect.poll(() => page.evaluate(bursts)).toBeGreaterThan(0);
}

/** Remembers what each frame shows. Runs in the page. */
function filmReveal(counting: string) {
  const frames: Frame[] = [];
  Object.assign(window, { frames });
  const look = () => {
    const words = [...document.querySelectorAll('main p > span')].find(
      ({ textContent }) => textContent === counting,
    );
    const { top = -1, bottom = Infinity } = words?.getBoundingClientRect() ?? {};
    frames.push({
      isHeld: document.querySelector('[data-held]') !== null,
      isCounting: words !== undefined,
      opacity: Number(words?.parentElement && getComputedStyle(words.parentElement).opacity),
      isInSight: top > 0 && bottom < window.innerHeight,
      hasResult: /\d\.º|7\.000|6\.9\d\d/.test(`${document.title}${document.body.textContent}`),
    });
    requestAnimationFrame(look);
  };
  look();
}

test('W46 W96 W101 a vote is shared, and its bar covers no focus or card', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 360, height: 600 });
  await openGoty(page);
  const bar = page.getByRole('complementary');
  const button = voteButton(page);
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const dialog = await vote(page);
  await dialog.getByRole('button', { name: shareButtonTexts.share }).click();
  // Not below the buttons: a press would reach it.
  await dialog.getByText(shareButtonTexts.copied).click({ trial: true });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await copied()).toBe(`${shareButtonTexts.voted(GAME, true)} ${PUBLIC_ORIGIN}/goty`);
  await closeDialog(page);
  await expect(button).toBeFocused();
  await expect(bar).toBeInViewport({ ratio: 1 });
  const share = bar.getByRole('button', { name: shareButtonTexts.share });
  const before = await share.boundingBox();
  await share.click();
  await expect(bar.getByText(shareButtonTexts.copied)).toBeInViewport();
  expect(await share.boundingBox()).toEqual(before);
  const bottomOf = (of: Locator) => of.evaluate((box) => box.getBoundingClientRect().bottom);
  const top = () => bar.evaluate((box) => box.getBoundingClientRect().top);
  await expect.poll(async () => (await top()) - (await bottomOf(button))).toBeGreaterThan(0);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const last = page.getByRole('article').last();
  await expect.poll(async () => (await top()) - (await bottomOf(last))).toBeGreaterThan(0);
  await expectNoOverflow(page);
});

test("W126 'mirando' is shown whole or not at all", async ({ page, live }) => {
  const games = [{ id: 'a', name: GAME, votos: 1_234_567 }];
  await live.fakeStandings(games, { closesAt: Date.now() + 1_000_000 });
  const body = `event: ping\ndata: 12345\n\ndata: ${JSON.stringify(games)}\n\n`;
  await page.route(live.push, (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await openInicio(page);
  const viewers = page.getByText('12.345 mirando');
  await expect(viewers).toBeAttached();
  const isShownAt = { 320: false, 390: false, 640: true, 1280: true };
  for (const [width, isShown] of Object.entries(isShownAt)) {
    await page.setViewportSize({ width: Number(width), height: 900 });
    if (isShown) await expect(viewers).toBeInViewport({ ratio: 1 });
    else await expect(viewers).not.toBeInViewport();
  }
});
