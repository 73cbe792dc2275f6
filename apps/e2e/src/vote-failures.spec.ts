import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  BOTH_HOMES,
  expect,
  FAILED_REQUEST,
  outcomeDialog,
  shownVotes,
  test,
  voteButton,
  votesCell,
  votesText,
} from '../testing/goty-test.ts';

const GAME = 'Hades II';

test.describe('a failure without a usable body', () => {
  test.beforeEach(({ expectedErrors }) => void expectedErrors.push(FAILED_REQUEST));

  test('W8 an HTML response shows a fallback message', async ({ page }) => {
    await page.goto('/goty');
    await page.route('**/api/goty/hades-2', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await voteButton(page, GAME).click();
    await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.broken);
  });

  test('W28 a vote without a connection ends in the dialog', async ({ page, context }) => {
    const chunks = [/sweet-dialog-.*css/, /sweet-dialog-.*js/].map((url) =>
      page.waitForEvent('requestfinished', (request) => url.test(request.url())),
    );
    await page.goto('/goty');
    await Promise.all(chunks);
    await context.setOffline(true);
    await voteButton(page, GAME).click();
    await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.unreachable);
    await expect(page.getByText('!', { exact: true })).toBeVisible();
  });

  test('W28 if the dialog could not be loaded either, a plain one of the page is shown', async ({
    page,
    context,
  }) => {
    await page.route('**/sweet-dialog-*', (route) => route.abort());
    await page.goto('/goty');
    await expect(voteButton(page, GAME)).toBeVisible();
    await context.setOffline(true);
    await voteButton(page, GAME).click();
    await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.unreachable);
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(voteButton(page, GAME)).toBeFocused();
  });
});

test('W19 a vote whose response is lost is retried, and counts once', { tag: BOTH_HOMES }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await dropResponses(page, 1);
  await expectOneVote(page, () => voteButton(page, GAME).click());
});

test('W9 a press after lost responses counts as the same vote', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await dropResponses(page, 3);
  await expectOneVote(page, async () => {
    await voteButton(page, GAME).click();
    await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.unreachable);
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await voteButton(page, GAME).click();
  });
});

/** Lets the next `count` votes reach the server, and drops the responses. */
async function dropResponses(page: Page, count: number) {
  let left = count;
  await page.route('**/api/goty/hades-2', async (route) => {
    left -= 1;
    if (left < 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
}

/** Expects that `act`, on the screen goty, ends with 'Gracias' and adds exactly one vote. */
async function expectOneVote(page: Page, act: () => Promise<void>) {
  const viewer = await page.context().newPage();
  await viewer.goto('/inicio');
  const before = await shownVotes(viewer, GAME);
  const other = await shownVotes(viewer, 'Blue Prince');
  await page.goto('/goty');
  await act();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  // Once this later vote is shown, any vote before it is shown too.
  await voteButton(page, 'Blue Prince').click();
  await expect(votesCell(viewer, 'Blue Prince')).toHaveText(votesText(other + 1));
  await expect(votesCell(viewer, GAME)).toHaveText(votesText(before + 1));
}
