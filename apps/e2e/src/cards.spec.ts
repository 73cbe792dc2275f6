import { gotyTexts } from '@goty/shared/goty-texts';
import { apiTexts, texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import {
  expect,
  FAILED_REQUEST,
  GAME,
  NOMINEES,
  outcomeDialog,
  test,
  untilHydrated,
  VOTE,
  voteButton,
} from '../testing/goty-test.ts';
import { type FakeStatus, fakeStatus } from '../testing/live-backend.ts';
import { gate } from '../testing/network.ts';
import { thirtyGames } from '../testing/states.ts';
import { closeDialog, openGoty, vote } from '../testing/steps.ts';

const MAIN = /\/assets\/main-.*\.js/;
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>';

// Covers that a test lets fail.
test.use({ expectedErrors: [FAILED_REQUEST] });

const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

test('W1 W6 trophy and covers are whole, and without one there are initials', async ({ page }) => {
  await page.route('**/covers/hades-2.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
  );
  await page.route('**/covers/split-fiction.svg', () => {});
  await page.route('**/covers/blue-prince.svg', (route) => route.fulfill({ status: 404 }));
  const openMain = await gate(page, MAIN);
  await page.goto('/goty', { waitUntil: 'commit' });
  const failed = cardOf(page, 'Blue Prince').locator('[data-initials]');
  // Before React has come.
  await expect(failed.locator('img')).toHaveJSProperty('complete', true);
  openMain();
  await expect(failed.locator('img')).toHaveCount(0);
  await expect(failed).toHaveCSS('background-color', 'rgb(78, 49, 165)');
  const shown = await failed.evaluate((box) => getComputedStyle(box, '::before').content);
  expect(shown).toBe('"BP" / ""');
  for (const name of [GAME, 'Split Fiction']) {
    const cover = cardOf(page, name).locator('img').last();
    await cover.scrollIntoViewIfNeeded();
    await expect(cover).toHaveCSS('object-fit', 'contain');
    await expect(cover.locator('..')).toHaveAttribute('data-initials', /^(HI|SF)$/);
    const { width = 0, height = 1 } = (await cover.boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(16 / 9, 1);
  }
  const trophy = page.getByRole('navigation').locator('img');
  await expect(trophy).not.toHaveJSProperty('naturalWidth', 0);
});

test('W6 W13 on a phone a cover fills the edge of its card, whole and before a blurred copy, and no hole is above the hint', async ({
  page,
}) => {
  await page.setViewportSize({ width: 430, height: 900 });
  await page.route('**/covers/hades-2.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
  );
  await openGoty(page);
  const card = cardOf(page, GAME);
  await card.scrollIntoViewIfNeeded();
  const covers = card.locator('img');
  await expect(covers).toHaveCount(2);
  await expect(covers.first()).toHaveCSS('object-fit', 'cover');
  await expect(covers.first()).toHaveCSS('filter', /blur/);
  await expect(covers.last()).toHaveCSS('object-fit', 'contain');
  await expect(covers.last()).toHaveCSS('background-image', 'none');
  const boxOf = (part: Locator) =>
    part.evaluate((element) => element.getBoundingClientRect().toJSON());
  const whole = await boxOf(card);
  const cover = await boxOf(covers.last());
  const border = 1;
  expect(cover).toMatchObject({ left: whole.left + border, top: whole.top + border, width: 132 });
  expect(cover.bottom).toBe(whole.bottom - border);
  const name = await boxOf(card.getByRole('heading'));
  const hint = await boxOf(card.getByText(texts.goty.hints.open));
  const button = await boxOf(card.getByRole('button'));
  // A hint of one line, as narrow fonts have it, stands in the middle beside its button.
  expect(Math.min(hint.top, button.top) - name.bottom).toBeLessThan(12);
});

test('W25 the whole card votes with a single control, and a press is felt', async ({ page }) => {
  await openGoty(page);
  const card = cardOf(page, GAME);
  await expect(card.getByRole('button')).toHaveCount(1);
  const { x = 0, y = 0, width = 0, height = 0 } = (await card.boundingBox()) ?? {};
  const hint = (await card.getByText(texts.goty.hints.open).boundingBox()) ?? { x, y };
  for (const position of [
    { x: 20, y: 20 },
    { x: width - 10, y: height - 10 },
    { x: hint.x - x + 10, y: hint.y - y + 5 },
  ]) {
    await card.click({ position });
    await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
    await closeDialog(page);
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const openVote = await gate(page, VOTE);
  await voteButton(page).hover();
  await page.mouse.down();
  await expect(card).toHaveCSS('scale', '0.97');
  await page.mouse.up();
  const turning = () =>
    voteButton(page).evaluate((button) => getComputedStyle(button, '::before').animationName);
  await expect.poll(turning).toMatch(/spin/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await turning()).toBe('none');
  openVote();
  await closeDialog(page);
  await page.mouse.down();
  await expect(card).toHaveCSS('scale', 'none');
  await page.mouse.up();
});

test('W41 W42 changed nominees keep image and focus, closed ones their place', async ({ page }) => {
  const status: FakeStatus = { nominees: 'first' };
  await fakeStatus(page, status);
  const text = await (await page.request.get('/api/goty')).text();
  await page.route('**/api/goty?v=*', (route) =>
    route.fulfill({ contentType: 'application/json', body: text.replace(GAME, 'Hades III') }),
  );
  await openGoty(page);
  await voteButton(page).focus();
  const cover = await cardOf(page, GAME).locator('img:last-child').elementHandle();
  status.nominees = 'second';
  const button = voteButton(page, 'Hades III');
  await expect(button).toBeFocused();
  expect(await cover?.evaluate((image) => image.isConnected)).toBe(true);
  const before = await button.boundingBox();
  status.closesAt = Date.now();
  await expect(page.getByText(texts.goty.notices.closed)).toBeVisible();
  await expect(button).toBeDisabled();
  expect(await button.boundingBox()).toEqual(before);
});

const NO_COLOR = 'rgba(0, 0, 0, 0)';

test('W95 after a vote its card stands out, and the second thanks are quiet', async ({ page }) => {
  await openGoty(page);
  const own = voteButton(page);
  const other = voteButton(page, 'Blue Prince');
  await expect(other).not.toHaveCSS('background-color', NO_COLOR);
  await vote(page);
  await expect(page.locator('.goty-trophy')).toBeVisible();
  await closeDialog(page);
  // In some minutes the pointer is left above the other card.
  await page.getByRole('navigation').hover();
  await expect(cardOf(page, GAME)).toHaveCSS('outline-style', 'solid');
  await expect(cardOf(page, 'Blue Prince')).toHaveCSS('outline-style', 'none');
  await expect(own).not.toHaveCSS('background-color', NO_COLOR);
  await expect(other).toHaveCSS('background-color', NO_COLOR);
  await cardOf(page, 'Blue Prince').hover();
  await expect(other).not.toHaveCSS('background-color', NO_COLOR);

  const again = { ok: true, mensaje: apiTexts.counted(GAME), votedFor: 'hades-2' };
  await page.route(VOTE, (route) => route.fulfill({ json: again }));
  await expect(await vote(page)).toContainText(gotyTexts.again(GAME));
  await expect(page.locator('.goty-trophy')).toHaveCount(0);
});

test('W13 on a phone eight cards are rows in 1,000 px, and React moves none', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const openList = await gate(page, NOMINEES);
  const openMain = await gate(page, MAIN);
  await page.goto('/goty', { waitUntil: 'commit' });
  const boxes = (of: string) =>
    page.locator(of).evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect()));
  const skeletons = '.loading > [aria-hidden]';
  await expect(page.locator(skeletons)).toHaveCount(8);
  // Styles may come after the HTML.
  await expect(page.locator(skeletons).first()).toHaveCSS('display', 'flex');
  const expected = await boxes(skeletons);
  openList();
  await expect(page.getByRole('article')).toHaveCount(8);
  expect(await boxes('article')).toEqual(expected);
  openMain();
  await untilHydrated(page);
  expect(await boxes('article')).toEqual(expected);
  const first = expected[0];
  const last = expected.at(-1);
  expect((last?.bottom ?? Infinity) - (first?.top ?? 0)).toBeLessThan(1_000);
  const cover = await voteButton(page).locator('../..').locator('img:last-child').boundingBox();
  const button = await voteButton(page).boundingBox();
  expect((cover?.x ?? 0) + (cover?.width ?? 0)).toBeLessThan(button?.x ?? 0);
});

test('W122 the search comes late, after React, and moves no card', async ({ page }) => {
  const nominees = thirtyGames().map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
  await page.route(NOMINEES, (route) => route.fulfill({ json: nominees }));
  for (const width of [320, 700, 1280]) {
    const openMain = await gate(page, MAIN);
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/goty');
    const card = page.getByRole('article').first();
    await expect(card).toBeVisible();
    const before = await card.boundingBox();
    openMain();
    await expect(page.getByRole('searchbox')).toBeVisible();
    expect(await card.boundingBox(), `at ${width} px`).toEqual(before);
  }
});
