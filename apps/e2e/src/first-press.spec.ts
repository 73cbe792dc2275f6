import { apiTexts, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  BOTH_HOMES,
  expect,
  FAILED_REQUEST,
  isHydrated,
  NOMINEES,
  outcomeDialog,
  shownVotes,
  test,
  voteButton,
  votesCell,
  votesText,
} from '../testing/goty-test.ts';

const GAME = 'Hades II';
const MAIN = '**/assets/main-*.js';

test('W24 W80 the first covers are loaded before the list, and once', { tag: BOTH_HOMES }, async ({
  page,
}) => {
  const requested = countRequests(page);
  const openList = await gate(page, '**/api/goty');
  const first = page.waitForResponse('**/covers/blue-prince.svg');
  await page.goto('/goty');
  await first;
  await expect(page.getByRole('article')).toHaveCount(0);
  openList();
  const covers = page.getByRole('article').locator('img');
  await expect(covers).toHaveCount(8);
  await expect(covers.first()).toHaveJSProperty('complete', true);
  await expect.poll(() => isHydrated(page)).toBe(true);
  expect(requested('/covers/blue-prince.svg')).toBe(1);
  expect(requested('/api/goty')).toBe(1);
});

test('W80 W81 a press before React has come counts once, and React takes over the same card', async ({
  page,
}) => {
  const before = await votesOf(page, GAME);
  const requested = countRequests(page);
  const openMain = await gate(page, MAIN);
  await page.goto('/goty');
  await voteButton(page, GAME).click();
  await expect(outcomeDialog(page, 'Gracias')).toContainText(apiTexts.counted(GAME));
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await isHydrated(page)).toBe(false);
  const card = await page.getByRole('article', { name: GAME }).elementHandle();
  openMain();
  await expect(page.getByText(texts.goty.yourVote, { exact: true })).toBeVisible();
  expect(await card?.evaluate((element) => element.isConnected)).toBe(true);
  await expect(voteButton(page, GAME)).toBeFocused();
  expect(requested('/api/goty/hades-2')).toBe(1);
  expect(await votesOf(page, GAME)).toBe(before + 1);
});

test('W81 a vote on its way when React takes over goes on, and counts once', async ({ page }) => {
  const before = await votesOf(page, GAME);
  const openMain = await gate(page, MAIN);
  const openVote = await gate(page, '**/api/goty/hades-2');
  await page.goto('/goty');
  await voteButton(page, GAME).click();
  await expect(voteButton(page, GAME)).toHaveAttribute('aria-busy', 'true');
  await voteButton(page, 'Blue Prince').click({ force: true });
  openMain();
  await expect(voteButton(page, GAME)).toHaveText(texts.goty.voting);
  await voteButton(page, GAME).click({ force: true });
  openVote();
  await expect(outcomeDialog(page, 'Gracias')).toContainText(apiTexts.counted(GAME));
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect(voteButton(page, GAME)).toHaveAttribute('aria-busy', 'false');
  expect(await votesOf(page, GAME)).toBe(before + 1);
});

test('W81 a press in the moment when React takes over counts once', async ({ page }) => {
  const before = await votesOf(page, GAME);
  // The first script takes its listener away, and React has to be there already.
  await page.addInitScript((id) => {
    const remove = document.removeEventListener.bind(document);
    document.removeEventListener = (
      type: string,
      listener: EventListenerOrEventListenerObject,
      options?: boolean | EventListenerOptions,
    ) => {
      remove(type, listener, options);
      if (type !== 'click') return;
      document.removeEventListener = remove;
      queueMicrotask(() =>
        document.querySelector<HTMLElement>(`[data-nominee="${id}"] button`)?.click(),
      );
    };
  }, 'hades-2');
  await page.goto('/goty');
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(await votesOf(page, GAME)).toBe(before + 1);
});

test('W81 before React, the keyboard votes too and keeps the focus', async ({ page }) => {
  const openMain = await gate(page, MAIN);
  await page.goto('/goty');
  const button = voteButton(page, GAME);
  await button.focus();
  for (const key of ['Enter', 'Space']) {
    await page.keyboard.press(key);
    await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  openMain();
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page.getByText(texts.goty.yourVote, { exact: true })).toBeVisible();
  await expect(button).toBeFocused();
});

test('W81 before React, a vote that fails ends in the dialog', async ({ page, expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST);
  await gate(page, MAIN);
  await page.route('**/api/goty/hades-2', (route) => route.fulfill({ status: 500 }));
  await page.goto('/goty');
  await voteButton(page, GAME).click();
  await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.broken);
});

test('W81 a press counts even if the visitor leaves at once', async ({ page }) => {
  const before = await votesOf(page, GAME);
  await gate(page, MAIN);
  await page.goto('/goty');
  await expect(voteButton(page, GAME)).toBeVisible();
  await page.unroute(MAIN);
  await voteButton(page, GAME).evaluate((button: HTMLElement) => {
    button.click();
    window.location.assign('/inicio');
  });
  await expect(votesCell(page, GAME)).toHaveText(votesText(before + 1));
});

test('W80 an empty list is told, and React takes over what is shown meanwhile', async ({
  page,
}) => {
  const openMain = await gate(page, MAIN);
  await page.route(NOMINEES, (route) => route.fulfill({ json: [] }));
  const list = page.waitForResponse(NOMINEES);
  await page.goto('/goty');
  await list;
  openMain();
  await expect(page.getByText(texts.states.empty)).toBeVisible();
});

test('W80 a list that cannot be loaded or is empty is told without cards', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  let asked = 0;
  await page.route(NOMINEES, (route) => {
    asked += 1;
    return route.fulfill({ status: 500 });
  });
  await page.goto('/goty');
  // React asks once more when it comes.
  await expect.poll(() => asked).toBe(2);
  const retry = page.getByRole('button', { name: texts.states.retry });
  await expect(retry).toBeVisible();
  await page.route(NOMINEES, (route) => route.fulfill({ json: [] }));
  await retry.click();
  await expect(page.getByText(texts.states.empty)).toBeVisible();
});

/** Holds the requests for `url` until the returned function is called. */
async function gate(page: Page, url: string): Promise<() => void> {
  const opened = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await opened.promise;
    await route.continue();
  });
  return opened.resolve;
}

function countRequests(page: Page): (path: string) => number {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return (path) => paths.filter((each) => each === path).length;
}

/** The votes of a game, as another visitor sees them. */
async function votesOf(page: Page, game: string): Promise<number> {
  const other = await page.context().newPage();
  await other.goto('/inicio');
  const votes = await shownVotes(other, game);
  await other.close();
  return votes;
}
