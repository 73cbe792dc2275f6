import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  asVotes,
  expect,
  FAILED_REQUEST,
  outcome,
  shownVotes,
  test,
  voteButton,
  votesCell,
} from '../testing/goty-test.ts';

const GAME = 'Hades II';

test.describe('a failure with no usable body', () => {
  test.beforeEach(({ expectedErrors }) => void expectedErrors.push(FAILED_REQUEST));

  test('W8 no connection is told in a sentence of ours', async ({ page }) => {
    await page.goto('/goty');
    await page.route('**/api/goty/hades-2', (route) => route.abort());
    await voteButton(page, GAME).click();
    await expect(outcome(page, 'Ooops')).toContainText(texts.dialog.unreachable);
  });

  test('W8 an HTML page is told in a sentence of ours', async ({ page }) => {
    await page.goto('/goty');
    await page.route('**/api/goty/hades-2', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await voteButton(page, GAME).click();
    await expect(outcome(page, 'Ooops')).toContainText(texts.dialog.unreadable);
  });

  test('W8 no answer within ten seconds is told in a sentence of ours', async ({ page }) => {
    // The page's ten seconds are a fraction of one here.
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms === 10_000 ? 300 : ms);
    });
    await page.route('**/api/goty/hades-2', () => {});
    await page.goto('/goty');
    await voteButton(page, GAME).click();
    await expect(outcome(page, 'Ooops')).toContainText(texts.dialog.timedOut);
  });

  test('W8 no connection, not even for the dialog itself, is told by the browser', async ({
    page,
    context,
  }) => {
    await page.goto('/goty');
    await expect(voteButton(page, GAME)).toBeVisible();
    await context.setOffline(true);
    const shown = page.waitForEvent('dialog');
    const click = voteButton(page, GAME).click();
    const dialog = await shown;
    expect(dialog.message()).toBe(`Ooops\n\n${texts.dialog.unreachable}`);
    await dialog.accept();
    await click;
  });
});

test('W19 a vote whose answer is lost is sent again by itself, and counts once', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await loseAnswers(page, 1);
  await expectOneVote(page, () => voteButton(page, GAME).click());
});

test('W9 a press after answers that were lost is the same vote, not a second one', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await loseAnswers(page, 3);
  await expectOneVote(page, async () => {
    await voteButton(page, GAME).click();
    await expect(outcome(page, 'Ooops')).toContainText(texts.dialog.unreachable);
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await voteButton(page, GAME).click();
  });
});

/** The next votes reach the server, and their answers do not reach the page. */
async function loseAnswers(page: Page, count: number) {
  let left = count;
  await page.route('**/api/goty/hades-2', async (route) => {
    left -= 1;
    if (left < 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
}

test('W9 pressing twice quickly counts once', async ({ page }) => {
  await expectOneVote(page, () => voteButton(page, GAME).dblclick());
});

/** What the visitor does on the screen goty ends in 'Gracias', and the chart moves by one vote. */
async function expectOneVote(page: Page, act: () => Promise<void>) {
  const viewer = await page.context().newPage();
  await viewer.goto('/inicio');
  const before = await shownVotes(viewer, GAME);
  const other = await shownVotes(viewer, 'Blue Prince');
  await page.goto('/goty');
  await act();
  await expect(outcome(page, 'Gracias')).toBeVisible();
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  // When this later vote is shown, so is everything that was to come before it.
  await voteButton(page, 'Blue Prince').click();
  await expect(votesCell(viewer, 'Blue Prince')).toHaveText(asVotes(other + 1));
  await expect(votesCell(viewer, GAME)).toHaveText(asVotes(before + 1));
}
