import { apiTexts, texts } from '@goty/shared/texts';
import type { Route } from '@playwright/test';
import {
  expect,
  FAILED_REQUEST,
  GAME,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
} from '../../testing/goty-test.ts';
import { closeDialog, expectOneVote, openGoty, vote } from '../../testing/steps.ts';

test("W7 W12 W43 'Gracias' has cover, place and a way to the result", async ({ page }) => {
  await expectOneVote(page, async () => {
    await openGoty(page);
    const dialog = await vote(page);
    await expect(dialog).toContainText(apiTexts.counted(GAME));
    await expect(dialog.locator('img').first()).toHaveAttribute('src', '/covers/hades-2.svg');
    await expect(dialog.getByRole('status').first()).toHaveText(/con \d+ votos?$/);
    await expect(dialog.getByRole('button', { name: texts.dialog.confirm })).toBeFocused();
    await dialog.getByRole('button', { name: texts.goty.toResult }).click();
    await expect(page).toHaveURL('/inicio');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
});

test.describe('with lost responses', () => {
  test.use({ expectedErrors: [FAILED_REQUEST] });

  test('W9 W19 a vote is sent three times, and again, but counts once', async ({ page }) => {
    const dropResponse = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route(VOTE, dropResponse, { times: 3 });
    await expectOneVote(page, async () => {
      await openGoty(page);
      await voteButton(page).click();
      await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.unreachable);
      await closeDialog(page);
      await vote(page);
    });
  });
});
