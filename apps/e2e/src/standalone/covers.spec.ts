import type { Page } from '@playwright/test';
import { expect, isHydrated, test } from '../../testing/goty-test.ts';

test('W24 the standalone home sends the first covers with the page, which stay until the cards come', async ({
  page,
  browser,
  baseURL,
}) => {
  const covers = (of: Page) => of.locator('[data-cover] > img');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(`${baseURL}/goty`);
  await expect(covers(still)).toHaveCount(4);
  await context.close();

  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const list = Promise.withResolvers<void>();
  await page.route('**/api/goty', async (route) => {
    await list.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(covers(page)).toHaveCount(4);
  list.resolve();
  await expect(page.getByRole('article')).toHaveCount(8);
  const first = await page.getByRole('article').first().getByRole('img').getAttribute('src');
  expect(asked.filter((path) => path === first)).toHaveLength(1);
});
