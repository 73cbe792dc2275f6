import { answers, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  asVotes,
  expect,
  FAILED_REQUEST,
  isHydrated,
  outcome,
  shownVotes,
  test,
  voteButton,
  votesCell,
} from './goty-test.ts';

const GAME = 'Hades II';

test('W12 a vote in one page moves the chart in another, without a reload', async ({
  page,
  context,
}) => {
  await page.goto('/inicio');
  const before = await shownVotes(page, GAME);
  const voter = await context.newPage();
  await voter.goto('/goty');
  await voteButton(voter, GAME).click();
  await expect(outcome(voter, 'Gracias')).toContainText(answers.counted(GAME));
  await expect(votesCell(page, GAME)).toHaveText(asVotes(before + 1));
});

test('W7 an accepted vote is told in the dialog Gracias, a refused one in Ooops, as text', async ({
  page,
  expectedErrors,
}) => {
  await page.goto('/goty');
  await voteButton(page, GAME).click();
  await expect(outcome(page, 'Gracias')).toContainText(answers.counted(GAME));
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  expectedErrors.push(FAILED_REQUEST);
  await page.route('**/api/goty/hades-2', (route) =>
    route.fulfill({ status: 409, json: { ok: false, mensaje: '<b>No</b> se pudo' } }),
  );
  await voteButton(page, GAME).click();
  await expect(outcome(page, 'Ooops')).toContainText('<b>No</b> se pudo');
});

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

test('W9 pressing twice quickly counts once', async ({ page }) => {
  await expectOneVote(page, () => voteButton(page, GAME).dblclick());
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

test('W21 a vote in one tab moves the mark in another', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/goty');
  await page.goto('/goty');
  for (const game of [GAME, 'Blue Prince']) {
    await voteButton(page, game).click();
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    const marked = other.getByRole('article').filter({ hasText: texts.goty.yourVote });
    await expect(marked).toHaveCount(1);
    await expect(marked.getByRole('heading')).toHaveText(game);
  }
});

test('W9 a key that is held, and a double click, vote once and leave the dialog open', async ({
  page,
}) => {
  let votes = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') votes += 1;
  });
  await page.goto('/goty');
  await voteButton(page, GAME).dblclick();
  await expect(outcome(page, 'Gracias')).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(outcome(page, 'Gracias')).toBeVisible();
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(voteButton(page, GAME)).toBeFocused();
  await page.keyboard.down('Enter');
  await expect(outcome(page, 'Gracias')).toBeVisible();
  for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(outcome(page, 'Gracias')).toBeVisible();
  expect(votes).toBe(2);
});

test('W18 the keyboard alone votes, and the focus comes back to the button', async ({ page }) => {
  await page.goto('/inicio');
  // Before that a link is one of the browser's own.
  await expect.poll(() => isHydrated(page)).toBe(true);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: texts.nav.skip })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: texts.nav.brand })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Votar', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/goty');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const button = voteButton(page, 'Blue Prince');
  await expect(button).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(outcome(page, 'Gracias')).toBeVisible();
  await expect(page.getByRole('button', { name: texts.dialog.confirm })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button).toBeFocused();
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
