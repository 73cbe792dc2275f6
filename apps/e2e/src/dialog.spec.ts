import { apiTexts, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import { expect, FAILED_REQUEST, outcomeDialog, test, voteButton } from '../testing/goty-test.ts';

test('W26 the page behind the dialog stays where it is, with its bar', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await page.goto('/goty');
  await voteButton(page, 'Hades II').scrollIntoViewIfNeeded();
  const before = await places(page);
  expect(before.scrollY).toBeGreaterThan(100);
  await voteButton(page, 'Hades II').click();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(await places(page)).toEqual(before);
  await page.mouse.move(400, 300);
  await page.mouse.wheel(0, 300);
  await page.mouse.move(5, 590);
  await page.mouse.wheel(0, 300);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await places(page)).toEqual(before);
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await places(page)).toEqual(before);
});

/** Where the page is scrolled to, and where its bar and its content are in the window. */
function places(page: Page) {
  return page.evaluate(() => ({
    scrollY: window.scrollY,
    bar: document.querySelector('header')?.getBoundingClientRect().top,
    content: document.querySelector('main')?.getBoundingClientRect().toJSON(),
  }));
}

test("W26 the dialog's button is in sight in a small window", async ({ page, expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST);
  for (const [title, ok, mensaje] of [
    ['Gracias', true, apiTexts.counted('Un nombre largo '.repeat(8).trim())],
    ['Ooops', false, texts.dialog.unreachable],
  ] as const) {
    await page.route('**/api/goty/hades-2', (route) => route.fulfill({ json: { ok, mensaje } }));
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(outcomeDialog(page, title)).toContainText(mensaje);
    for (const [width, height] of [
      [568, 320],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height });
      const button = page.getByRole('button', { name: texts.dialog.confirm });
      await expect(button).toBeInViewport({ ratio: 1 });
    }
  }
});
