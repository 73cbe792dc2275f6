import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import {
  BOTH_HOMES,
  expect,
  FAILED_REQUEST,
  outcomeDialog,
  test,
  voteButton,
} from '../testing/goty-test.ts';

test("W43 'Gracias' shows the cover, the place and the way to the result", {
  tag: BOTH_HOMES,
}, async ({ page }) => {
  await page.goto('/goty');
  await voteButton(page, 'Hades II').click();
  const dialog = outcomeDialog(page, 'Gracias');
  await expect(dialog).toContainText('Tu voto por Hades II quedó registrado.');
  await expect(dialog.locator('img').first()).toHaveAttribute('src', '/covers/hades-2.svg');
  await expect(dialog.getByRole('status').first()).toHaveText(/con \d+ votos?$/);
  await expect(dialog.getByRole('button', { name: texts.dialog.confirm })).toBeFocused();
  await dialog.getByRole('button', { name: texts.goty.toResult }).click();
  await expect(page).toHaveURL(/\/inicio$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test("W43 without the live results 'Gracias' only lacks the place", { tag: BOTH_HOMES }, async ({
  page,
  live,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.route(live.url, () => {});
  await page.route('**/covers/hades-2.svg', (route) => route.fulfill({ status: 404 }));
  await page.goto('/goty');
  await voteButton(page, 'Hades II').click();
  const dialog = outcomeDialog(page, 'Gracias');
  await expect(dialog.getByRole('status').first()).toHaveText('');
  await expect(dialog.locator('img').first()).toHaveAttribute('src', '/trophy.svg');
  await dialog.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(voteButton(page, 'Hades II')).toBeFocused();
});

test('W43 the burst is short, and there is none with reduced motion', async ({ page }) => {
  // One that came and went would not be seen.
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof Element && node.matches('.goty-burst')) performance.mark('burst');
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const bursts = () => page.evaluate(() => performance.getEntriesByName('burst').length);
  await page.goto('/goty');
  await voteButton(page, 'Hades II').click();
  await expect(page.locator('.goty-burst')).toBeAttached();
  await expect(page.locator('.goty-burst')).toHaveCount(0);
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await voteButton(page, 'Hades II').click();
  await expect(outcomeDialog(page, 'Gracias').getByRole('status').first()).toHaveText(/voto/);
  expect(await bursts()).toBe(1);
});

test("W46 the vote can be shared from 'Gracias'", async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/goty');
  await voteButton(page, 'Hades II').click();
  await page.getByRole('button', { name: voteTexts.share }).click();
  await expect(page.getByText(voteTexts.copied)).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${voteTexts.voted('Hades II')} ${new URL('/goty', page.url()).href}`);
});
