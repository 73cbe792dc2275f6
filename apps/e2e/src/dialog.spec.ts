import { apiTexts, texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import type { Page } from '@playwright/test';
import { expect, GAME, outcomeDialog, test, VOTE, voteButton } from '../testing/goty-test.ts';
import type { FakeStatus } from '../testing/live-backend.ts';
import { askForStatus } from '../testing/states.ts';
import { closeDialog, openGoty, vote } from '../testing/steps.ts';

test('W26 W132 neither the dialog nor its end moves the page below it', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 500 });
  await openGoty(page);
  const link = page.getByRole('link', { name: texts.goty.toResult });
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  // One that is not in the first row, whichever that is in this minute.
  const card = page.getByRole('article').nth(4);
  const cover = card.locator('img:last-child');
  const button = card.getByRole('button');
  await cover.evaluate((image) => {
    window.scrollBy(0, image.getBoundingClientRect().top + 40 - window.innerHeight);
  });
  const before = await places(page);
  expect(before.scrollY).toBeGreaterThan(0);
  const box = await cover.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(await places(page)).toEqual(before);
  for (const [x, y] of [
    [400, 250],
    [5, 490],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 300);
  }
  // Beside the dialog.
  await page.mouse.click(5, 490);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await places(page)).toEqual(before);
  await closeDialog(page);
  await expect(button).toBeFocused();
  expect(await places(page)).toEqual(before);
  await expect(button).not.toBeInViewport();
  await expect(link).toHaveCount(1);
});

/** Where the page is scrolled to, and where its bar and its cards are in the window. */
function places(page: Page) {
  return page.evaluate(() => ({
    scrollY: window.scrollY,
    bar: document.querySelector('header')?.getBoundingClientRect().top,
    cards: document.querySelector('main ul')?.getBoundingClientRect().toJSON(),
  }));
}

test('V16 what is said of a vote goes away when another vote begins', async ({ page, live }) => {
  const status: FakeStatus = {};
  await live.fakeStandings([{ id: 'hades-2', name: GAME, votos: 1 }], status);
  await openGoty(page);
  const dialog = await vote(page);
  // The place comes with an answer for this vote.
  await expect(dialog.getByRole('status').first()).toHaveText(/ con 1 voto$/);
  status.voteId = 'another';
  await askForStatus(page);
  await expect(dialog).toBeHidden();
});

test('W26 in a low window, and at 400 % zoom, the buttons are in sight', async ({ page }) => {
  await openGoty(page);
  for (const [width, height] of [
    [844, 390],
    [667, 375],
    // 200 % zoom.
    [640, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    const dialog = await vote(page);
    await expect(dialog.getByText(apiTexts.counted(GAME))).toBeInViewport({ ratio: 1 });
    for (const button of await dialog.getByRole('button').all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    await expect(dialog.locator('img:visible')).toHaveCount(0);
    expect(await dialog.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    await closeDialog(page);
  }
  await page.setViewportSize({ width: 1280 / 4, height: 1024 / 4 });
  for (const [title, ok, mensaje] of [
    ['Gracias', true, apiTexts.counted('Un nombre largo '.repeat(8).trim())],
    ['Ooops', false, `${voteTexts.failures.unreachable} ${voteTexts.dialog.once}`],
  ] as const) {
    await page.route(VOTE, (route) => route.fulfill({ json: { ok, mensaje } }));
    await voteButton(page).click();
    await expect(outcomeDialog(page, title)).toContainText(mensaje);
    const button = page.getByRole('button', { name: voteTexts.dialog.confirm });
    await expect(button).toBeInViewport({ ratio: 1 });
    await closeDialog(page);
  }
});
