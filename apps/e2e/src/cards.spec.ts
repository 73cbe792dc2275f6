import { gotyTexts } from '@goty/shared/goty-texts';
import { apiTexts, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  expect,
  FAILED_REQUEST,
  GAME,
  isHydrated,
  NOMINEES,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
} from '../testing/goty-test.ts';
import { type FakeStatus, fakeStatus } from '../testing/live-backend.ts';
import { gate } from '../testing/network.ts';
import { thirtyGames } from '../testing/states.ts';
import { closeDialog, openGoty, vote } from '../testing/steps.ts';

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>';

// Covers that a test lets fail.
test.use({ expectedErrors: [FAILED_REQUEST] });

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

test('W6 a cover of another proportion, or none yet, has the same place', async ({ page }) => {
  await page.route('**/covers/hades-2.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
  );
  await page.route('**/covers/split-fiction.svg', () => {});
  await page.goto('/goty', { waitUntil: 'commit' });
  for (const name of [GAME, 'Split Fiction']) {
    const cover = cardOf(page, name).locator('img');
    await cover.scrollIntoViewIfNeeded();
    await expect(cover).toHaveCSS('object-fit', 'contain');
    await expect(cover.locator('..')).toHaveAttribute('data-initials', /^(HI|SF)$/);
    const { width = 0, height = 1 } = (await cover.boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(16 / 9, 1);
  }
});

test('W6 a game without a cover has its own colour and its initials', async ({ page }) => {
  await page.route('**/covers/{blue-prince,hades-2}.svg', (route) => route.abort());
  await openGoty(page);
  for (const [name, initials, color] of [
    ['Blue Prince', '"BP" / ""', 'rgb(78, 49, 165)'],
    [GAME, '"HI" / ""', 'rgb(144, 68, 151)'],
  ] as const) {
    const frame = cardOf(page, name).locator('[data-initials]');
    await expect(frame.locator('img')).toHaveCount(0);
    await expect(frame).toHaveCSS('background-color', color);
    const shown = () => frame.evaluate((box) => getComputedStyle(box, '::before').content);
    expect(await shown()).toBe(initials);
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
  await expect(page.getByText(texts.goty.closed)).toBeVisible();
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

const NO_COLOR = 'rgba(0, 0, 0, 0)';

test('W95 after a vote its card has a ring, and the other buttons step back', async ({ page }) => {
  await openGoty(page);
  const [own, other] = [voteButton(page), voteButton(page, 'Blue Prince')];
  await expect(other).not.toHaveCSS('background-color', NO_COLOR);
  await vote(page);
  await closeDialog(page);
  await expect(cardOf(page, GAME)).toHaveCSS('outline-style', 'solid');
  await expect(cardOf(page, 'Blue Prince')).toHaveCSS('outline-style', 'none');
  await expect(own).not.toHaveCSS('background-color', NO_COLOR);
  await expect(other).toHaveCSS('background-color', NO_COLOR);
  await cardOf(page, 'Blue Prince').hover();
  await expect(other).not.toHaveCSS('background-color', NO_COLOR);
});

test('W95 with one vote for each visitor the second thanks are quiet, and a refusal marks the game', async ({
  page,
}) => {
  await fakeStatus(page, { onePerVisitor: true });
  await openGoty(page);
  await vote(page);
  await expect(page.locator('.goty-trophy')).toBeVisible();
  await closeDialog(page);
  await expect(page.getByText(texts.goty.afterVote.notice(GAME))).toBeVisible();
  await expect(voteButton(page, 'Blue Prince')).toBeDisabled();

  const again = { ok: true, mensaje: apiTexts.counted(GAME), votedFor: 'hades-2' };
  await page.route(VOTE, (route) => route.fulfill({ json: again }));
  await expect(await vote(page)).toContainText(gotyTexts.again(GAME));
  await expect(page.locator('.goty-trophy')).toHaveCount(0);
  await closeDialog(page);

  // As in a browser that has lost its memory, but not its cookie.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  const refused = { ok: false, mensaje: 'No', votedFor: 'blue-prince' };
  await page.route(VOTE, (route) => route.fulfill({ json: refused }));
  await voteButton(page).click();
  await closeDialog(page);
  await expect(voteButton(page, 'Blue Prince')).toHaveAccessibleDescription(texts.goty.yourVote);
});

test('W13 on a phone eight cards are rows in 1,000 px, and nothing moves until React shows them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const openList = await gate(page, NOMINEES);
  const openMain = await gate(page, '**/assets/main-*.js');
  await page.goto('/goty', { waitUntil: 'commit' });
  const boxes = (of: string) =>
    page.locator(of).evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect()));
  const skeletons = '[role="status"] > [aria-hidden]';
  await expect(page.locator(skeletons)).toHaveCount(8);
  // Styles may come after the HTML.
  await expect(page.locator(skeletons).first()).toHaveCSS('display', 'flex');
  const expected = await boxes(skeletons);
  openList();
  await expect(page.getByRole('article')).toHaveCount(8);
  expect(await boxes('article')).toEqual(expected);
  openMain();
  await expect.poll(() => isHydrated(page)).toBe(true);
  expect(await boxes('article')).toEqual(expected);
  const [first, last] = [expected[0], expected.at(-1)];
  expect((last?.bottom ?? Infinity) - (first?.top ?? 0)).toBeLessThan(1_000);
  const cover = await voteButton(page).locator('../..').locator('img').boundingBox();
  const button = await voteButton(page).boundingBox();
  expect((cover?.x ?? 0) + (cover?.width ?? 0)).toBeLessThan(button?.x ?? 0);
});

test('W13 a long name takes three lines of a row', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const name = 'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim();
  const nominees = [{ id: 'long', name, url: '/trophy.svg' }];
  await page.route(NOMINEES, (route) => route.fulfill({ json: nominees }));
  await page.goto('/goty');
  const heading = page.getByRole('heading', { level: 2, name });
  const lines = () =>
    heading.evaluate(
      (box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight),
    );
  await expect.poll(lines).toBeCloseTo(3, 0);
});

test('W25 a press is felt, and a vote on its way turns in its button, but not with reduced motion', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const openVote = await gate(page, VOTE);
  await openGoty(page);
  await voteButton(page).scrollIntoViewIfNeeded();
  await voteButton(page).hover();
  await page.mouse.down();
  await expect(cardOf(page, GAME)).toHaveCSS('scale', '0.97');
  await page.mouse.up();
  const turning = () =>
    voteButton(page).evaluate((button) => getComputedStyle(button, '::before').animationName);
  await expect.poll(turning).toMatch(/spin/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await turning()).toBe('none');
  openVote();
  await closeDialog(page);
  await page.mouse.down();
  await expect(cardOf(page, GAME)).toHaveCSS('scale', 'none');
  await page.mouse.up();
});

test('W122 the search comes late, moves no card, and React takes over the cards without it', async ({
  page,
}) => {
  const nominees = thirtyGames().map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
  await page.route(NOMINEES, (route) => route.fulfill({ json: nominees }));
  for (const width of [320, 700, 1280]) {
    const openMain = await gate(page, /\/assets\/main-.*\.js/);
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
