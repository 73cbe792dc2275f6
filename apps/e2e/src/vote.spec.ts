import { apiTexts, texts } from '@goty/shared/texts';
import type { Locator } from '@playwright/test';
import {
  BOTH_HOMES,
  expect,
  FAILED_REQUEST,
  isHydrated,
  outcomeDialog,
  shownVotes,
  test,
  voteButton,
  votesCell,
  votesText,
} from '../testing/goty-test.ts';

const GAME = 'Hades II';

test('W12 a vote in one page updates the chart in another, without a reload', {
  tag: BOTH_HOMES,
}, async ({ page, context }) => {
  await page.goto('/inicio');
  const before = await shownVotes(page, GAME);
  const voter = await context.newPage();
  await voter.goto('/goty');
  await voteButton(voter, GAME).click();
  await expect(outcomeDialog(voter, 'Gracias')).toContainText(apiTexts.counted(GAME));
  await expect(votesCell(page, GAME)).toHaveText(votesText(before + 1));
});

test('W7 an accepted vote shows Gracias, a refused one Ooops, both as plain text', {
  tag: BOTH_HOMES,
}, async ({ page, expectedErrors }) => {
  await page.goto('/goty');
  await voteButton(page, GAME).click();
  await expect(outcomeDialog(page, 'Gracias')).toContainText(apiTexts.counted(GAME));
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  expectedErrors.push(FAILED_REQUEST);
  await page.route('**/api/goty/hades-2', (route) =>
    route.fulfill({ status: 409, json: { ok: false, mensaje: '<b>No</b> se pudo' } }),
  );
  await voteButton(page, GAME).click();
  await expect(outcomeDialog(page, 'Ooops')).toContainText('<b>No</b> se pudo');
});

test('W25 the whole card votes, and has a single control', async ({ page }) => {
  await page.goto('/goty');
  const card = page.getByRole('article', { name: GAME });
  await expect(card.getByRole('button')).toHaveCount(1);
  await card.scrollIntoViewIfNeeded();
  const box = await card.boundingBox();
  if (!box) throw new Error('the card is not shown');
  const places = {
    cover: [box.x + 20, box.y + 20],
    hint: await middleOf(card.getByText(texts.goty.hint)),
    corner: [box.x + box.width - 6, box.y + box.height - 6],
  };
  for (const [place, [x = 0, y = 0]] of Object.entries(places)) {
    await page.mouse.click(x, y);
    await expect(outcomeDialog(page, 'Gracias'), place).toBeVisible();
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

async function middleOf(target: Locator): Promise<number[]> {
  const box = await target.boundingBox();
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
}

test("W21 a vote in one tab moves 'Tu voto' in another", async ({ page, context }) => {
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

test('W9 a double click and a held key vote once each, and leave the dialog open', async ({
  page,
}) => {
  let votes = 0;
  page.on('request', (request) => {
    // Firestore's connection posts, too.
    if (request.method() === 'POST' && request.url().includes('/api/goty/')) votes += 1;
  });
  await page.goto('/goty');
  await voteButton(page, GAME).dblclick();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(voteButton(page, GAME)).toBeFocused();
  await page.keyboard.down('Enter');
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(votes).toBe(2);
});

test('W18 the keyboard alone can vote, and the focus returns to the button', async ({ page }) => {
  await page.goto('/inicio');
  // Before hydration a link loads a new page.
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
  await expect(page.getByRole('link', { name: texts.goty.toResult })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  await expect(page.getByRole('button', { name: texts.dialog.confirm })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button).toBeFocused();
});
