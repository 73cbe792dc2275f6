import { appTexts } from '@goty/shared/app-texts';
import { metadata, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  chart,
  expect,
  outcomeDialog,
  test,
  untilHydrated,
  VOTE,
  voteButton,
} from '../testing/goty-test.ts';
import { countRequests, gate } from '../testing/network.ts';
import { closeDialog, follow, openGoty, passTime, vote } from '../testing/steps.ts';

const MAIN = /\/assets\/main-.*\.js/;
const DIALOG = /\/dialog-.*\.(css|js)$/;
const RESULTS = '**/assets/results-*.js';

test.use({ expectedErrors: [/Failed to load resource|dynamically imported module|preload CSS/] });

test('W29 a page whose main script is lost twice reloads itself, and starts', async ({ page }) => {
  const loads = await loseIn(page, MAIN, 2);
  await page.clock.install();
  await page.goto('/goty');
  await waitForLoads(page, loads, 3);
  await untilHydrated(page);
  await expect(page.getByText(metadata.late)).toHaveCount(0);
});

for (const script of ['index', 'main']) {
  test(`W29 without the script ${script}, a message offers to reload`, async ({ page }) => {
    const url = `**/assets/${script}-*.js`;
    await page.route(url, (route) => route.abort());
    await holdReloads(page);
    await page.goto('/goty');
    await page.evaluate(rewindAnimations);
    await expect(page.getByText(metadata.late)).toBeHidden();
    await page.evaluate(finishAnimations);
    await expect(page.getByText(metadata.late)).toBeVisible();
    await page.unroute(url);
    await page.getByRole('link', { name: appTexts.reload }).click();
    await untilHydrated(page);
    await expect(page.getByText(metadata.late)).toHaveCount(0);
  });
}

/** The message comes after some seconds, by an animation, and loading may have taken as long. Runs in the page. */
function rewindAnimations() {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = 0;
  }
}

/** Runs in the page. */
function finishAnimations() {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish();
  }
}

test('W29 a page whose connection is lost, too, reloads when that is back', async ({ page }) => {
  await page.route(MAIN, (route) => route.abort());
  const asked = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await holdReloads(page);
  const loads = countLoads(page);
  await page.goto('/goty');
  await asked;
  expect(loads()).toBe(1);
  await page.unroute(MAIN);
  await page.unroute('**/goty');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(loads).toBe(2);
  await untilHydrated(page);
});

/** The page reloads itself only if the server answers. */
function holdReloads(page: Page) {
  return page.route('**/goty', (route) =>
    route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
  );
}

test('W29 W33 a page whose chunk stays lost reloads 3 times, then offers it', async ({ page }) => {
  await page.clock.install();
  await openGoty(page);
  const loads = countLoads(page);
  await page.route(RESULTS, (route) => route.abort());
  await follow(page, 'Inicio');
  await waitForLoads(page, loads, 3);
  await expect(page.getByText(appTexts.lostChunk)).toBeVisible();
  const requests = countRequests(page);
  await page.clock.fastForward(60_000);
  expect(requests(/inicio/, 'HEAD')).toBe(0);
  await page.unroute(RESULTS);
  await page.getByRole('button', { name: appTexts.reload }).click();
  await expect(chart(page)).toBeVisible();
  expect(loads()).toBe(4);
});

test('W29 W28 a vote while a chunk is lost counts, and its dialog comes first', async ({
  page,
}) => {
  const openVote = await gate(page, VOTE);
  // Not before the press: the page would have reloaded itself.
  const loseDialog = Promise.withResolvers<void>();
  await page.route(DIALOG, async (route) => {
    await loseDialog.promise;
    await route.abort();
  });
  const requests = countRequests(page);
  await openGoty(page);
  const loads = countLoads(page);
  await voteButton(page).click();
  loseDialog.resolve();
  await expect.poll(() => requests(/goty/, 'HEAD')).toBe(1);
  await page.unroute(DIALOG);
  openVote();
  await expect(outcomeDialog(page, 'Gracias')).toHaveJSProperty('tagName', 'DIALOG');
  expect(loads()).toBe(0);
  await closeDialog(page);
  await expect.poll(loads).toBe(1);
  await expect(page.getByText(texts.goty.yourVote, { exact: true })).toBeVisible();
  expect(requests(/hades-2$/, 'POST')).toBe(1);
});

test('W29 a page whose style sheet is lost reloads itself', async ({ page }) => {
  await loseIn(page, /\/main-.*\.css/, 1);
  await page.goto('/goty');
  await expect(page.getByRole('banner')).toHaveCSS('position', 'sticky');
});

/** Loses a file in the first documents, however often each of them asks for it. */
async function loseIn(page: Page, file: RegExp, documents: number) {
  const loads = countLoads(page);
  await page.route(file, (route) => (loads() <= documents ? route.abort() : route.continue()));
  return loads;
}

/** Waits until the page has loaded so often, without its pauses in between. */
function waitForLoads(page: Page, loads: () => number, count: number) {
  return passTime(page, 10_000, (within) => expect.poll(loads, within).toBe(count));
}

/** By requests: a document may be replaced before it has loaded. */
function countLoads(page: Page) {
  const requests = countRequests(page);
  return () => requests(/^GET \/(inicio|goty)$/);
}

test("W43 without the live results 'Gracias' only lacks the place", async ({ page, live }) => {
  await page.route(live.poll, () => {});
  await page.route('**/covers/hades-2.svg', (route) => route.fulfill({ status: 404 }));
  await openGoty(page);
  const dialog = await vote(page);
  await expect(dialog.getByRole('status').first()).toHaveText('');
  await expect(dialog.locator('img').first()).toHaveAttribute('src', '/trophy.svg');
  await closeDialog(page);
  await expect(voteButton(page)).toBeFocused();
});
