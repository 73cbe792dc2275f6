import { resultTexts } from '@goty/shared/result-texts';
import type { Page } from '@playwright/test';
import { countPixels, legendEntry, picture } from '../testing/chart-parts.ts';
import { chart, expect, FAILED_REQUEST, test } from '../testing/goty-test.ts';
import { thirtyGames } from '../testing/states.ts';

const GAMES = [
  { id: 'a', name: 'Uno', votos: 30 },
  { id: 'b', name: 'Dos', votos: 90 },
  { id: 'c', name: 'Tres', votos: 0 },
];

test('W62 in a hall everything is larger, with the QR code beside a chart of 300 px', async ({
  page,
  live,
}) => {
  await live.fakeStandings(thirtyGames());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  const code = page.getByRole('img', { name: /QR/ });
  await expect(code).toBeHidden();
  for (const width of [1600, 1920, 2560, 3840]) {
    await page.setViewportSize({ width, height: width / 2 });
    await expect(code).toBeVisible();
    await expect(chart(page)).toHaveCSS('height', '300px');
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `at ${width} px`).toBeLessThanOrEqual(0);
    // As many pixels as the screen shows of it.
    const { height = 0 } = (await chart(page).boundingBox()) ?? {};
    expect(height).toBeGreaterThan(340);
    await expect.poll(() => canvasHeight(page)).toBeGreaterThanOrEqual(Math.floor(height));
  }
});

function canvasHeight(page: Page): Promise<number> {
  return chart(page).evaluate((canvas: HTMLCanvasElement) => canvas.height);
}

test('W63 a vote that arrives is shown at its bar for a while', async ({ page, request }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect(await countPixels(page, 'var(--good)')).toBe(0);
  await request.post('/api/goty/hades-2', { data: {} });
  await expect.poll(() => countPixels(page, 'var(--good)')).toBeGreaterThan(0);
  await expect.poll(() => countPixels(page, 'var(--good)')).toBe(0);
});

test('W64 the game that the visitor voted for is marked in chart and legend', async ({
  page,
  live,
}) => {
  await live.fakeStandings(GAMES);
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect(await countPixels(page, 'var(--accent)')).toBe(0);
  await page.evaluate(() => localStorage.setItem('goty-last-vote', 'a'));
  await page.reload();
  await expect(legendEntry(page, 'Uno')).toHaveText(`Uno, 2.º · 30 votos · 25\u00a0% Tu voto`);
  await expect(legendEntry(page, 'Dos')).not.toContainText('Tu voto');
  await expect.poll(() => countPixels(page, 'var(--accent)')).toBeGreaterThan(50);
});

test('W65 bars and entries of the legend mark each other, in a hall too', async ({
  page,
  live,
}) => {
  await live.fakeStandings(GAMES);
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    const before = await picture(page);
    await legendEntry(page, 'Uno').hover();
    await expect.poll(() => picture(page)).not.toBe(before);
    await page.getByRole('heading', { level: 1 }).hover();
    await expect.poll(() => picture(page)).toBe(before);

    await chart(page).hover();
    await expect(legendEntry(page, 'Dos')).toHaveAttribute('data-pointed');
    await expect(legendEntry(page, 'Uno')).not.toHaveAttribute('data-pointed');
  }
});

test('W65 the focus of an entry scrolls the chart to its bar', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames());
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expect(page.getByText(resultTexts.shown('1', '9', '30'))).toBeVisible();
  await legendEntry(page, 'Juego número 30').focus();
  await expect(page.getByText(resultTexts.shown('1', '9', '30'))).toHaveCount(0);
  await expect(legendEntry(page, 'Juego número 30')).toBeFocused();
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('W65 a tap on a bar shows its tooltip', async ({ page, live }) => {
    await live.fakeStandings(GAMES);
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    const before = await picture(page);
    await chart(page).tap();
    await expect(legendEntry(page, 'Dos')).toHaveAttribute('data-pointed');
    expect(await picture(page)).not.toBe(before);
  });
});

test('W65 without the parts that come after it, the chart is complete', async ({
  page,
  live,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await live.fakeStandings(GAMES);
  await page.route(/\/assets\/(share-button|qr-code)-/, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expect(legendEntry(page, 'Uno')).toBeVisible();
  await failed;
  // Any fault of React's would have been shown in the next frames.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  await expect(chart(page)).toBeVisible();
});
