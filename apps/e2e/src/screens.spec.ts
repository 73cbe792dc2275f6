import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import { chart, expect, isHydrated, test, voteButton, votesCell } from './goty-test.ts';

test('W2 the root and unknown paths are inicio, and Back leaves the page', async ({ page }) => {
  for (const path of ['/', '/nothing/here', '/v1.0']) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page).toHaveURL('/inicio');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game of the year');
    await page.goBack();
    await expect(page).toHaveURL('about:blank');
  }
});

test('W2 both screens can be opened, reloaded and shared by their address', async ({ page }) => {
  for (const [path, heading] of [
    ['/inicio', 'Game of the year'],
    ['/goty', 'votar por el juego del año'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await page.reload();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
});

test('W1 the bar leads to both screens and marks the current one', async ({ page }) => {
  await page.goto('/goty');
  const votar = page.getByRole('link', { name: 'Votar', exact: true });
  await expect(votar).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: texts.nav.brand }).click();
  await expect(page).toHaveURL('/inicio');
  await expect(votar).not.toHaveAttribute('aria-current');
  const trophy = page.getByRole('navigation').locator('img');
  await expect
    .poll(() => trophy.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('W3 the chart is 300 px high and has a name, a legend and a table', async ({ page }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect((await chart(page).boundingBox())?.height).toBe(300);
  const legend = page.getByRole('list', { name: texts.inicio.legendLabel });
  await expect(legend.getByRole('listitem')).toHaveCount(8);
  await expect(votesCell(page, 'Hades II')).toHaveText(/votos?$/);
});

test('W3 a bar runs from its colour at a fifth to all of it', async ({ page, live }) => {
  await live.fake([{ id: 'a', name: 'Uno', votos: 100 }]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  // The pixels of the first game's colour, #4e31a5, in the row through the middle of its bar.
  const alphas = await chart(page).evaluate((canvas: HTMLCanvasElement) => {
    const middle = Math.round(canvas.height * 0.42);
    const row = canvas.getContext('2d')?.getImageData(0, middle, canvas.width, 1).data;
    const pixels = Array.from({ length: canvas.width }, (_, x) => row?.slice(x * 4, x * 4 + 4));
    const isBar = (channel: number | undefined, target: number) =>
      channel !== undefined && Math.abs(channel - target) < 12;
    return pixels
      .filter(
        (pixel) => isBar(pixel?.[0], 0x4e) && isBar(pixel?.[1], 0x31) && isBar(pixel?.[2], 0xa5),
      )
      .map((pixel) => pixel?.[3] ?? 0);
  });
  expect(alphas.length).toBeGreaterThan(200);
  expect(alphas[4]).toBeLessThan(70);
  expect(alphas.at(-5)).toBeGreaterThan(240);
  const middle = alphas[Math.floor(alphas.length / 2)];
  expect(middle).toBeGreaterThan(140);
  expect(middle).toBeLessThan(165);
});

test('W13 four columns where there is room, then three, two and one', async ({ page }) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  for (const [width, columns] of [
    [1440, 4],
    [1024, 4],
    [1000, 3],
    [700, 2],
    [375, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const lefts = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().left));
    expect(new Set(lefts).size, `at ${width} px`).toBe(columns);
    expect(await overflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test('W13 nothing is wider than a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/inicio', '/goty']) {
    await page.goto(path);
    await expect(chart(page).or(voteButton(page, 'Hades II'))).toBeVisible();
    expect(await overflow(page), path).toBeLessThanOrEqual(0);
  }
});

test('W6 every cover is there', async ({ page }) => {
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  for (const cover of await page.getByRole('article').getByRole('img').all()) {
    await cover.scrollIntoViewIfNeeded();
    await expect
      .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
});

test('W10 the nominee list is asked for once, before any script asks', async ({ page }) => {
  const asked: string[] = [];
  const warnings: string[] = [];
  page.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname));
  page.on('console', (message) => warnings.push(message.text()));
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect(chart(page)).toBeVisible();
  await page.getByRole('link', { name: 'Votar', exact: true }).click();
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  expect(asked.filter((path) => path === '/api/goty')).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test('W24 both screens show something before any script has run', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, heading] of [
    ['/inicio', 'Game of the year'],
    ['/goty', 'votar por el juego del año'],
  ] as const) {
    await page.goto(`${baseURL}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByRole('navigation')).toBeVisible();
  }
  await context.close();
});

test('W24 the standalone home sends the first covers with the page, which stay until the cards come', async ({
  page,
  browser,
  baseURL,
  firestore,
}) => {
  const covers = (of: Page) => of.locator('[data-cover] > img');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(`${baseURL}/goty`);
  // Hosting sends a file that knows no nominees.
  await expect(covers(still)).toHaveCount(firestore === '' ? 4 : 0);
  await context.close();
  if (firestore !== '') return;

  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const list = Promise.withResolvers<void>();
  await page.route('**/api/goty', async (route) => {
    await list.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(covers(page)).toHaveCount(4);
  list.resolve();
  await expect(page.getByRole('article')).toHaveCount(8);
  const first = await page.getByRole('article').first().getByRole('img').getAttribute('src');
  expect(asked.filter((path) => path === first)).toHaveLength(1);
});

test('W18 the focus is seen on every link and button, the current link too', async ({ page }) => {
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  for (const target of [
    page.getByRole('link', { name: 'Inicio', exact: true }),
    page.getByRole('link', { name: 'Votar', exact: true }),
    voteButton(page, 'Blue Prince'),
  ]) {
    // The ring is for the keyboard.
    await page.keyboard.press('Tab');
    await target.focus();
    await expect(target).toHaveCSS('outline-style', 'solid');
    await expect(target).toHaveCSS('outline-width', '3px');
    await expect(target).not.toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)');
  }
});

test('W24 the page can be installed, and what it names is there', async ({ page, request }) => {
  await page.goto('/goty');
  await expect(page).toHaveTitle(texts.goty.title);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  const icon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
  const manifest = await page.locator('link[rel="manifest"]').getAttribute('href');
  const { icons, start_url } = await (await request.get(manifest ?? '')).json();
  const named = [image, icon, start_url, ...icons.map(({ src }: { src: string }) => src)];
  for (const address of named) expect((await request.get(address)).status(), address).toBe(200);
});

test('W16 chart, live results and dialog are loaded when they are needed, not before', async ({
  page,
  live,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const parts = () =>
    ['/results-', live.chunk, '/sweet-dialog-'].filter((part) =>
      loaded.some((path) => path.includes(part)),
    );
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  expect(parts()).toEqual([]);
  await voteButton(page, 'Hades II').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(parts()).toEqual(['/sweet-dialog-']);
  loaded.length = 0;
  await page.goto('/inicio');
  await expect(votesCell(page, 'Hades II')).toBeAttached();
  expect(parts()).toEqual(['/results-', live.chunk]);
});

/** How much wider the page is than its window, in pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
