import { metadata, texts } from '@goty/shared/texts';
import type { Page, Route } from '@playwright/test';
import {
  chart,
  expect,
  GAME,
  isHydrated,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
  votesCell,
} from '../testing/goty-test.ts';
import { countRequests, gate } from '../testing/network.ts';
import {
  closeDialog,
  follow,
  openGoty,
  openInicio,
  shownVotes,
  skipPauses,
  vote,
  voteElsewhere,
  votesText,
} from '../testing/steps.ts';

// Also the addresses at which it is loaded again.
const MAIN = /\/assets\/main-.*\.js/;
const SWEET_DIALOG = /\/sweet-dialog-.*\.(css|js)$/;
const RESULTS = '**/assets/results-*.js';

test.use({ expectedErrors: [/Failed to load resource|dynamically imported module|preload CSS/] });

test('W29 a main script that does not come at first is loaded again', async ({ page }) => {
  const requests = countRequests(page);
  await page.route(MAIN, (route) => route.abort(), { times: 2 });
  await skipPauses(page, MAIN);
  await openGoty(page);
  await expect(page.getByText(metadata.late)).toHaveCount(0);
  expect(requests(/\/main-/)).toBeGreaterThan(2);
});

for (const script of ['index', 'main']) {
  test(`W29 without the script ${script}, a message offers to reload`, async ({ page }) => {
    const url = `**/assets/${script}-*.js`;
    await page.route(url, (route) => route.abort());
    await page.goto('/goty');
    await expect(page.getByText(metadata.late)).toBeHidden();
    await finishAnimations(page);
    await expect(page.getByText(metadata.late)).toBeVisible();
    // Not before the reload: the page might load the script again by itself, and the link be gone.
    await page.route(/\/goty$/, async (route) => {
      if (route.request().isNavigationRequest()) await page.unroute(url);
      await route.fallback();
    });
    await page.getByRole('link', { name: texts.states.reload }).click();
    await expect.poll(() => isHydrated(page)).toBe(true);
    await expect(page.getByText(metadata.late)).toHaveCount(0);
  });
}

/** The message comes after some seconds, by an animation. */
function finishAnimations(page: Page) {
  return page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish();
    }
  });
}

test('W29 when the connection is back, the page starts by itself', async ({ page, context }) => {
  await page.route(MAIN, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/goty');
  await failed;
  await page.unroute(MAIN);
  await context.setOffline(true);
  await context.setOffline(false);
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test('W30 a page of an older deploy reloads itself once, and never in a loop', async ({ page }) => {
  await openGoty(page);
  const loads = countLoads(page);
  const checks = await deploy(page);
  await page.route(RESULTS, (route) => route.fulfill({ status: 404 }));
  await follow(page, 'Inicio');
  await expect.poll(() => loads.count).toBe(1);
  await expect(page.getByText(texts.states.lostChunk)).toBeVisible();
  // It looks for a newer build again, and finds it, but has reloaded for this one already.
  await expect.poll(() => checks.count).toBeGreaterThan(1);
  expect(loads.count).toBe(1);
  await page.unroute(RESULTS);
  await page.getByRole('button', { name: texts.states.reload }).click();
  await expect(chart(page)).toBeVisible();
  expect(loads.count).toBe(2);
});

test('W30 W33 a chunk that is lost without a deploy reloads nothing', async ({ page }) => {
  await openGoty(page);
  const loads = countLoads(page);
  await page.route(RESULTS, (route) => route.abort());
  const check = page.waitForResponse('**/inicio');
  await follow(page, 'Inicio');
  await expect(page.getByText(texts.states.lostChunk)).toBeVisible();
  await check;
  expect(loads.count).toBe(0);
});

test('W30 the reload waits for a vote and its dialog', async ({ page }) => {
  const openVote = await gate(page, VOTE);
  await openGoty(page);
  await voteButton(page).click();
  const loads = countLoads(page);
  const checks = await deploy(page);
  await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError')));
  await expect.poll(() => checks.count).toBe(1);
  openVote();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(loads.count).toBe(0);
  await closeDialog(page);
  await expect.poll(() => loads.count).toBe(1);
  await expect.poll(() => isHydrated(page)).toBe(true);
});

/** Makes the page see that another build is served by now, and counts how often it has looked. */
async function deploy(page: Page) {
  const checks = { count: 0 };
  await page.route(/\/(inicio|goty)$/, async (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('/assets/index-', '/assets/index-new-');
    await route.fulfill({ response, body });
    checks.count += 1;
  });
  return checks;
}

function countLoads(page: Page) {
  const loads = { count: 0 };
  page.on('load', () => {
    loads.count += 1;
  });
  return loads;
}

const STREAMS: Record<string, (route: Route) => unknown> = {
  refused: (route) => route.fulfill({ status: 503 }),
  'held back by a proxy': () => {},
};
for (const [what, answer] of Object.entries(STREAMS)) {
  test(`W90 with a stream that is ${what}, the chart moves, and no error is shown`, async ({
    page,
    live,
  }) => {
    const asked = page.waitForRequest(live.push);
    await page.route(live.push, answer);
    await openInicio(page);
    await asked;
    const before = await shownVotes(page, GAME);
    await voteElsewhere(page, 'hades-2');
    await expect(votesCell(page, GAME)).toHaveText(votesText(before + 1));
    await expect(page.getByText(texts.inicio.status.open, { exact: true })).toBeVisible();
  });
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

test('W28 a vote without a connection ends in the dialog', async ({ page, context }) => {
  const finished: string[] = [];
  page.on('requestfinished', (request) => finished.push(request.url()));
  await skipPauses(page, /\/hades-2$/);
  await openGoty(page);
  await expect.poll(() => finished.filter((url) => SWEET_DIALOG.test(url)).length).toBe(2);
  await context.setOffline(true);
  await voteButton(page).click();
  await expect(outcomeDialog(page, 'Ooops')).toContainText(texts.dialog.unreachable);
  await expect(page.getByText('!', { exact: true })).toBeVisible();
});

test('W28 if the dialog does not come, a vote ends in a plain one', async ({ page }) => {
  await page.route(SWEET_DIALOG, (route) => route.abort());
  await openGoty(page);
  await vote(page);
  await closeDialog(page);
  await expect(voteButton(page)).toBeFocused();
});

test('W98 style sheets that do not come at first are loaded again, and the page waits for them', async ({
  page,
}) => {
  const styles = /\/assets\/.*\.css/;
  const failed = new Set<string>();
  await page.route(styles, (route) => {
    const { pathname } = new URL(route.request().url());
    if (failed.has(pathname)) return route.continue();
    failed.add(pathname);
    return route.abort();
  });
  await openGoty(page);
  await expect(page.getByRole('banner')).toHaveCSS('position', 'sticky');
  const dialog = await vote(page);
  await expect(dialog).toHaveClass(/goty-thanks/);
  await expect(page.locator('.swal2-container')).toHaveCSS('position', 'fixed');
  await dialog.getByRole('button', { name: texts.goty.toResult }).click();
  await expect(chart(page)).toHaveCSS('height', '300px');
  expect(failed.size).toBeGreaterThan(2);
});

test('W98 with a style sheet that came empty the dialog is a plain one, at every vote', async ({
  page,
}) => {
  await page.route(/\/sweet-dialog-.*\.css/, (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  await openGoty(page);
  for (const _time of ['first', 'second']) {
    await expect(await vote(page)).toHaveJSProperty('tagName', 'DIALOG');
    await closeDialog(page);
  }
});

test('W6 a cover that failed before React came is replaced', async ({ page }) => {
  await page.route('**/covers/blue-prince.svg', (route) => route.fulfill({ status: 404 }));
  const openMain = await gate(page, MAIN);
  await page.goto('/goty', { waitUntil: 'commit' });
  const cover = page.getByRole('article', { name: 'Blue Prince' }).locator('img');
  await expect(cover).toHaveJSProperty('complete', true);
  openMain();
  await expect(cover).toHaveCount(0);
});
