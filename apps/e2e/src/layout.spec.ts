import { voteTexts } from '@goty/shared/vote-texts';
import type { Page } from '@playwright/test';
import { legendEntry } from '../testing/chart-parts.ts';
import { chart, expect, GAME, NOMINEES, test } from '../testing/goty-test.ts';
import { countRequests, gate } from '../testing/network.ts';
import { openGoty, openInicio, voteElsewhere } from '../testing/steps.ts';

const NAMES = [
  GAME,
  '<img src=x onerror=alert(1)>',
  'لعبة السنة',
  'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim(),
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
];

test('W13 the cards are in four, three, two or one columns', async ({ page }) => {
  await openGoty(page);
  for (const [width, columns] of [
    [1440, 4],
    [1024, 4],
    [1000, 3],
    [700, 2],
    [375, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => countColumns(page), `at ${width} px`).toBe(columns);
    await expectNoOverflow(page);
  }
});

function countColumns(page: Page): Promise<number> {
  return page
    .getByRole('article')
    .evaluateAll((cards) => new Set(cards.map((card) => card.getBoundingClientRect().left)).size);
}

test('W6 W13 no name overflows a narrow screen or is markup', async ({ page, live }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const games = NAMES.map((name, at) => ({ id: `g${at}`, name, votos: 12_345_678 * at }));
  await live.fakeStandings(games);
  const nominees = games.map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
  await page.route(NOMINEES, (route) => route.fulfill({ json: nominees }));
  await openGoty(page);
  for (const name of NAMES) {
    const card = page.getByRole('article', { name, exact: true });
    // It hides what does not fit into it.
    expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth), name).toBe(0);
  }
  await expectNoOverflow(page);
  await openInicio(page);
  await expectNoOverflow(page);
});

test('W16 W62 in a hall everything is larger, with the QR code, which is loaded only there', async ({
  page,
}) => {
  const requests = countRequests(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openInicio(page);
  const code = page.getByRole('img', { name: /QR/ });
  await expect(code).toBeHidden();
  expect(requests(/\/qr-code-/)).toBe(0);
  for (const width of [1600, 1920, 3840]) {
    await page.setViewportSize({ width, height: width / 2 });
    await expect(code).toBeVisible();
    await expect(chart(page)).toHaveCSS('height', '300px');
    await expectNoOverflow(page);
    const { height = 0 } = (await chart(page).boundingBox()) ?? {};
    expect(height).toBeGreaterThan(340);
    // As many pixels as the screen shows of it.
    await expect
      .poll(() => chart(page).evaluate((canvas: HTMLCanvasElement) => canvas.height))
      .toBeGreaterThanOrEqual(Math.floor(height));
  }
});

async function expectNoOverflow(page: Page) {
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow, `at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

test('W60 W65 headline and legend do not wait for the chart, and nothing moves when it comes', async ({
  page,
}) => {
  await voteElsewhere(page, 'hades-2');
  const openChart = await gate(page, /results-chart-.*\.js/);
  await page.goto('/inicio');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(legendEntry(page, GAME)).toBeVisible();
  await expect(page.getByRole('button', { name: voteTexts.share })).toBeVisible();
  await expect(chart(page)).toHaveCount(0);
  openChart();
  await expect(chart(page)).toBeVisible();
  const moved = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const seen = new PerformanceObserver((list) => resolve(list.getEntries().length));
        seen.observe({ type: 'layout-shift', buffered: true });
        // Nothing is reported if nothing has moved: two frames later, all of it would have been.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
  expect(moved).toBe(0);
});
