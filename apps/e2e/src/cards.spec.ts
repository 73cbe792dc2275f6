import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import type { Page } from '@playwright/test';
import { expect, GAME, outcomeDialog, test, voteButton } from '../testing/goty-test.ts';
import { type FakeStatus, fakeStatus } from '../testing/live-backend.ts';
import { closeDialog, openGoty } from '../testing/steps.ts';

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>';

/** The card of a game. */
const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

test('W1 W6 the trophy and every cover load', async ({ page }) => {
  await openGoty(page);
  await expect(page.getByRole('article')).toHaveCount(8);
  for (const image of await page.locator('img').all()) {
    await image.scrollIntoViewIfNeeded();
    await expect(image).toHaveJSProperty('complete', true);
    await expect(image).not.toHaveJSProperty('naturalWidth', 0);
  }
});

test('W34 a cover of another proportion, or none yet, has the same place', async ({ page }) => {
  await page.route('**/covers/hades-2.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
  );
  await page.route('**/covers/split-fiction.svg', () => {});
  await page.goto('/goty', { waitUntil: 'commit' });
  for (const name of [GAME, 'Split Fiction']) {
    const cover = cardOf(page, name).locator('img');
    await cover.scrollIntoViewIfNeeded();
    await expect(cover).toHaveCSS('object-fit', 'contain');
    await expect(cover.locator('..')).toHaveCSS('background-image', /trophy\.svg/);
    const { width = 0, height = 1 } = (await cover.boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(16 / 9, 1);
  }
});

test('W25 the whole card votes, and has a single control', async ({ page }) => {
  await openGoty(page);
  const card = cardOf(page, GAME);
  await expect(card.getByRole('button')).toHaveCount(1);
  const { width = 0, height = 0 } = (await card.boundingBox()) ?? {};
  for (const press of [
    () => card.click({ position: { x: 20, y: 20 } }),
    () => card.click({ position: { x: width - 10, y: height - 10 } }),
    // The button lies over it.
    () => card.getByText(texts.goty.hint).click({ force: true }),
  ]) {
    await press();
    await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
    await closeDialog(page);
  }
});

test('W41 the cards stay where they are when the vote closes', async ({ page }) => {
  const status: FakeStatus = {};
  await fakeStatus(page, status);
  await openGoty(page);
  const before = await voteButton(page).boundingBox();
  status.closesAt = Date.now();
  await expect(page.getByText(voteTexts.closed)).toBeVisible();
  await expect(voteButton(page)).toBeDisabled();
  expect(await voteButton(page).boundingBox()).toEqual(before);
});

test('W42 changed nominees keep image and focus of their cards', async ({ page }) => {
  const status: FakeStatus = { nominees: 'first' };
  await fakeStatus(page, status);
  const text = await (await page.request.get('/api/goty')).text();
  await page.route('**/api/goty?v=*', (route) =>
    route.fulfill({ contentType: 'application/json', body: text.replace(GAME, 'Hades III') }),
  );
  await openGoty(page);
  await voteButton(page).focus();
  const cover = await cardOf(page, GAME).locator('img').elementHandle();
  status.nominees = 'second';
  await expect(voteButton(page, 'Hades III')).toBeFocused();
  expect(await cover?.evaluate((image) => image.isConnected)).toBe(true);
});
