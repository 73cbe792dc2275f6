import { metadata, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  chart,
  expect,
  FAILED_REQUEST,
  isHydrated,
  outcomeDialog,
  test,
  voteButton,
} from '../testing/goty-test.ts';

test.beforeEach(({ expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST, /dynamically imported module|preload CSS/);
});

test('W29 a main script that does not come at first is loaded again', async ({ page }) => {
  let failures = 0;
  await page.route(/\/assets\/main-.*\.js/, (route) => {
    failures += 1;
    return failures <= 2 ? route.abort() : route.continue();
  });
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  await expect(page.getByText(metadata.late)).toHaveCount(0);
  expect(failures).toBe(3);
});

for (const script of ['index', 'main']) {
  test(`W29 if the script ${script} does not come, a message offers to reload`, async ({
    page,
  }) => {
    await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
    await page.goto('/goty');
    await expect(page.getByText(metadata.late)).toBeHidden();
    await finishAnimations(page);
    await expect(page.getByText(metadata.late)).toBeVisible();
    // Not before the reload: the page might load the script again by itself, and the link be gone.
    await page.route(/\/goty$/, async (route) => {
      if (route.request().isNavigationRequest()) await page.unroute(`**/assets/${script}-*.js`);
      await route.fallback();
    });
    await page.getByRole('link', { name: texts.states.reload }).click();
    await expect(voteButton(page, 'Hades II')).toBeVisible();
    await expect(page.getByText(metadata.late)).toHaveCount(0);
  });
}

test('W29 when the connection is back, the page starts by itself', async ({ page, context }) => {
  await page.route('**/assets/main-*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/goty');
  await failed;
  await page.unroute('**/assets/main-*.js');
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(voteButton(page, 'Hades II')).toBeVisible();
});

test('W30 a page of an older deploy reloads itself once, and never in a loop', async ({ page }) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  const loads = countLoads(page);
  let checks = 0;
  page.on('response', (response) => {
    if (/\/(inicio|goty)$/.test(response.url())) {
      checks += response.request().resourceType() === 'fetch' ? 1 : 0;
    }
  });
  await deploy(page);
  await page.route('**/assets/results-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect.poll(() => loads.count).toBe(1);
  await expect(page.getByText(texts.states.lostChunk)).toBeVisible();
  // It looks for a newer build again, and finds it, but has reloaded for this one already.
  await expect.poll(() => checks).toBeGreaterThan(1);
  expect(loads.count).toBe(1);
  await page.unroute('**/assets/results-*.js');
  await page.getByRole('button', { name: texts.states.reload }).click();
  await expect(chart(page)).toBeVisible();
  expect(loads.count).toBe(2);
});

test('W30 W33 a chunk that is lost without a deploy reloads nothing, and is named', async ({
  page,
}) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  const loads = countLoads(page);
  await page.route('**/assets/results-*.js', (route) => route.abort());
  const check = page.waitForResponse('**/inicio');
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect(page.getByText(texts.states.lostChunk)).toBeVisible();
  await check;
  expect(loads.count).toBe(0);
});

test('W30 the reload waits for a vote and its dialog', async ({ page }) => {
  const voteGate = Promise.withResolvers<void>();
  await page.route('**/api/goty/hades-2', async (route) => {
    await voteGate.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await voteButton(page, 'Hades II').click();
  const loads = countLoads(page);
  await deploy(page);
  const check = page.waitForResponse('**/goty');
  await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError')));
  await check;
  voteGate.resolve();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(loads.count).toBe(0);
  await page.getByRole('button', { name: texts.dialog.confirm }).click();
  await expect.poll(() => loads.count).toBe(1);
  await expect.poll(() => isHydrated(page)).toBe(true);
});

/** Makes the page see that another build is served by now. */
async function deploy(page: Page) {
  await page.route(/\/(inicio|goty)$/, async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('/assets/index-', '/assets/index-new-');
    await route.fulfill({ response, body });
  });
}

function countLoads(page: Page) {
  const loads = { count: 0 };
  page.on('load', () => {
    loads.count += 1;
  });
  return loads;
}

/** The message comes after some seconds, by an animation. */
function finishAnimations(page: Page) {
  return page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish();
    }
  });
}
