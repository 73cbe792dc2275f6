import { texts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, GAME, test, votesCell } from '../../testing/goty-test.ts';

test.use({ expectedErrors: [FAILED_REQUEST] });

test('W11 a failed connection is told as such, and can be retried', async ({ page, live }) => {
  await page.route(live.url, (route) => route.abort());
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.offlineEmpty);
  await expect(page.getByText(texts.states.empty)).toHaveCount(0);
  await page.unroute(live.url);
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(votesCell(page, GAME)).toBeAttached();
});

test('W11 a lost connection keeps the standings, and recovers', async ({ page, context }) => {
  await page.goto('/inicio');
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(texts.inicio.offline)).toBeVisible();
  await expect(votesCell(page, GAME)).toBeAttached();
  await context.setOffline(false);
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
});
