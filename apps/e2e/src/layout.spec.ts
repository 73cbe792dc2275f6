import type { Page } from '@playwright/test';
import { chart, expect, test, voteButton } from '../testing/goty-test.ts';

test('W13 four columns where there is room, then three, two and one', async ({ page }) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  for (const [width, columns] of [
    [1440, 4],
    [1024, 4],
    [1000, 3],
    [700, 2],
    [375, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const lefts = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().left));
    expect(new Set(lefts).size, `at ${width} px`).toBe(columns);
    expect(await overflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test('W13 nothing is wider than a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/inicio', '/goty']) {
    await page.goto(path);
    await expect(chart(page).or(voteButton(page, 'Hades II'))).toBeVisible();
    expect(await overflow(page), path).toBeLessThanOrEqual(0);
  }
});

test('W6 every cover is there', async ({ page }) => {
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  for (const cover of await page.getByRole('article').getByRole('img').all()) {
    await cover.scrollIntoViewIfNeeded();
    await expect
      .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
});

test('W18 the focus is seen on every link and button, the current link too', async ({ page }) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  for (const target of [
    page.getByRole('link', { name: 'Inicio', exact: true }),
    page.getByRole('link', { name: 'Votar', exact: true }),
    voteButton(page, 'Blue Prince'),
  ]) {
    // The ring is for the keyboard.
    await page.keyboard.press('Tab');
    await target.focus();
    await expect(target).toHaveCSS('outline-style', 'solid');
    await expect(target).toHaveCSS('outline-width', '3px');
    await expect(target).not.toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)');
  }
});

/** How much wider the page is than its window, in pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
