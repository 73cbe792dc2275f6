import { texts } from '@goty/shared/texts';
import type { Route } from '@playwright/test';
import {
  expect,
  FAILED_REQUEST,
  GAME,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
  votesCell,
} from '../../testing/goty-test.ts';
import { closeDialog, expectOneVote, openGoty, vote } from '../../testing/steps.ts';

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
