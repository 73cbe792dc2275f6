import { texts } from '@goty/shared/texts';
import {
  chart,
  expect,
  GAME,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
} from '../testing/goty-test.ts';
import { countRequests, gate } from '../testing/network.ts';
import { closeDialog } from '../testing/steps.ts';

const MAIN = '**/assets/main-*.js';
/** The votes for any game. */
const VOTES = /\/api\/goty\/[^/]+$/;

test("W81 W117 before React a key votes, and leads to the game's bar once", async ({ page }) => {
  const openMain = await gate(page, MAIN);
  await page.goto('/goty');
  await voteButton(page).press('Enter');
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  openMain();
  await page.getByRole('button', { name: texts.goty.toResult }).click();
  const marked = page.locator('[data-pointed]');
  await expect(marked).toContainText(GAME);
  await page.reload();
  await expect(chart(page)).toBeVisible();
  await expect(marked).toHaveCount(0);
});

test('W80 W81 a vote on its way when React comes goes on, and counts once', async ({ page }) => {
  const requests = countRequests(page);
  const openMain = await gate(page, MAIN);
  const openVote = await gate(page, VOTE);
  await page.goto('/goty');
  await voteButton(page).press('Enter');
  await expect(voteButton(page)).toHaveAttribute('aria-busy', 'true');
  await voteButton(page, 'Blue Prince').click({ force: true });
  const card = await page.getByRole('article', { name: GAME }).elementHandle();
  openMain();
  await expect(voteButton(page)).toHaveText(texts.goty.voting);
  await voteButton(page).click({ force: true });
  openVote();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  await closeDialog(page);
  await expect(voteButton(page)).toHaveAttribute('aria-busy', 'false');
  await expect(voteButton(page)).toBeFocused();
  await expect(page.getByText(texts.goty.yourVote, { exact: true })).toBeVisible();
  expect(await card?.evaluate((element) => element.isConnected)).toBe(true);
  expect(requests(VOTES, 'POST')).toBe(1);
});

test('W81 a press in the moment when React takes over counts once', async ({ page }) => {
  const requests = countRequests(page);
  // The first script takes its listener away, and React has to be there already.
  await page.addInitScript(() => {
    const remove = document.removeEventListener;
    document.removeEventListener = (type: string, listener: EventListener) => {
      remove.call(document, type, listener);
      if (type !== 'click') return;
      document.removeEventListener = remove;
      const button = document.querySelector<HTMLElement>('[data-nominee="hades-2"] button');
      queueMicrotask(() => button?.click());
    };
  });
  const openMain = await gate(page, MAIN);
  await page.goto('/goty');
  await expect(voteButton(page, GAME)).toBeVisible();
  openMain();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(requests(VOTES, 'POST')).toBe(1);
});
