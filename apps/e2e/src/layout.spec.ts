import type { Page } from '@playwright/test';
import { chart, expect, test, voteButton } from '../testing/goty-test.ts';

test('W13 the cards are in four, three, two or one columns, depending on the width', async ({
  page,
}) => {
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

test('W13 nothing overflows a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/inicio', '/goty']) {
    await page.goto(path);
    await expect(chart(page).or(voteButton(page, 'Hades II'))).toBeVisible();
    expect(await overflow(page), path).toBeLessThanOrEqual(0);
  }
});

test('W6 every cover loads', async ({ page }) => {
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  for (const cover of await page.getByRole('article').locator('img').all()) {
    await cover.scrollIntoViewIfNeeded();
    await expect
      .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
});

test('W18 links and buttons, including the current link, have a visible focus ring', async ({
  page,
}) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  for (const target of [
    page.getByRole('link', { name: 'Inicio', exact: true }),
    page.getByRole('link', { name: 'Votar', exact: true }),
    voteButton(page, 'Blue Prince'),
  ]) {
    // `:focus-visible` matches only after keyboard input.
    await page.keyboard.press('Tab');
    await target.focus();
    await expect(target).toHaveCSS('outline-style', 'solid');
    await expect(target).toHaveCSS('outline-width', '3px');
    await expect(target).not.toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)');
  }
});

/** Returns how far the page overflows the viewport horizontally, in pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
