import type { Page } from '@playwright/test';
import { expect, isHydrated, test } from '../../testing/goty-test.ts';

test('W24 standalone: the first covers are in the HTML and stay until the cards load', async ({
  page,
  browser,
  baseURL,
}) => {
  const coversOn = (target: Page) => target.locator('[data-cover] > img');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const staticPage = await context.newPage();
  await staticPage.goto(`${baseURL}/goty`);
  await expect(coversOn(staticPage)).toHaveCount(4);
  await context.close();

  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const listGate = Promise.withResolvers<void>();
  await page.route('**/api/goty', async (route) => {
    await listGate.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(coversOn(page)).toHaveCount(4);
  listGate.resolve();
  await expect(page.getByRole('article')).toHaveCount(8);
  const first = await page.getByRole('article').first().locator('img').getAttribute('src');
  expect(requested.filter((path) => path === first)).toHaveLength(1);
});
