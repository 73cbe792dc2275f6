import { apiTexts, texts } from '@goty/shared/texts';
import { expect, GAME, test } from '../../testing/goty-test.ts';
import { expectOneVote, openGoty, vote } from '../../testing/steps.ts';

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
