import { apiTexts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
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
import {
  closeDialog,
  openGoty,
  shownVotes,
  vote,
  voteElsewhere,
  votesText,
} from '../../testing/steps.ts';

const OTHER_GAME = 'Blue Prince';

test.use({ expectedErrors: [FAILED_REQUEST] });

test("W7 W9 W12 W19 W43 a vote whose answers are lost counts once, and 'Gracias' tells its place", async ({
  page,
  context,
}) => {
  const viewer = await context.newPage();
  await viewer.goto('/inicio');
  const before = await shownVotes(viewer, GAME);
  const other = await shownVotes(viewer, OTHER_GAME);
  // Chromium slows a page down that is behind another one: its timers, its frames, and so its dialog.
  await page.bringToFront();
  const dropResponse = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route(VOTE, dropResponse, { times: 3 });
  await openGoty(page);
  await voteButton(page).click();
  await expect(outcomeDialog(page, 'Ooops')).toContainText(voteTexts.failures.unreachable);
  await closeDialog(page);

  const dialog = await vote(page);
  await expect(dialog).toContainText(apiTexts.counted(GAME));
  await expect(dialog.locator('img').first()).toHaveAttribute('src', '/covers/hades-2.svg');
  await expect(dialog.getByRole('status').first()).toHaveText(/con \d+ votos?$/);

  await viewer.bringToFront();
  // Once this later vote is shown, any vote before it is shown too.
  await voteElsewhere(page, 'blue-prince');
  await expect(votesCell(viewer, OTHER_GAME)).toHaveText(votesText(other + 1));
  await expect(votesCell(viewer, GAME)).toHaveText(votesText(before + 1));
});
