import { metadata, texts } from '@goty/shared/texts';
import {
  BOTH_HOMES,
  chart,
  expect,
  isHydrated,
  NOMINEES,
  outcomeDialog,
  test,
  voteButton,
  votesCell,
} from '../testing/goty-test.ts';

test('W2 the root and unknown paths redirect to inicio, and Back leaves the page', {
  tag: BOTH_HOMES,
}, async ({ page }) => {
  for (const path of ['/', '/nothing/here', '/v1.0']) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page).toHaveURL('/inicio');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game of the year');
    await page.goBack();
    await expect(page).toHaveURL('about:blank');
  }
});

test('W2 the root and unknown paths redirect before any script has run', {
  tag: BOTH_HOMES,
}, async ({ browser, baseURL, request }) => {
  const response = await request.get('/', { maxRedirects: 0 });
  expect([response.status(), response.headers().location]).toEqual([302, '/inicio']);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}/nothing/here`);
  await expect(page).toHaveURL(`${baseURL}/inicio`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game of the year');
  await page.goBack();
  await expect(page).toHaveURL('about:blank');
  await context.close();
});

test('W2 both screens can be opened by URL and reloaded', { tag: BOTH_HOMES }, async ({ page }) => {
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

test('W83 a new screen fades in, and takes every press meanwhile', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect(await page.evaluate(countFades)).toBe(0);
  await page.evaluate(() => {
    const slow = new CSSStyleSheet();
    slow.replaceSync('main > * { animation-duration: 1000s !important }');
    document.adoptedStyleSheets.push(slow);
  });
  for (const [name, path] of [
    ['Votar', '/goty'],
    ['Inicio', '/inicio'],
    ['Votar', '/goty'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect.poll(() => page.evaluate(countFades)).toBe(1);
  }
  await voteButton(page, 'Hades II').click();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(await page.evaluate(countFades)).toBe(1);
});

test('W83 with reduced motion the next screen is there at once', async ({ page }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await page.getByRole('link', { name: 'Votar', exact: true }).click();
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  expect(await page.evaluate(countFades)).toBe(0);
});

function countFades(): number {
  const names = document
    .getAnimations()
    .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : ''));
  return names.filter((name) => name === 'appear').length;
}

test('W1 the navigation bar links to both screens and marks the current one', async ({ page }) => {
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

test('W10 the nominee list is requested once, by the preload', { tag: BOTH_HOMES }, async ({
  page,
}) => {
  const requested: string[] = [];
  const warnings: string[] = [];
  page.on('requestfinished', (request) => requested.push(new URL(request.url()).pathname));
  page.on('console', (message) => warnings.push(message.text()));
  await page.goto('/goty');
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect(chart(page)).toBeVisible();
  await page.getByRole('link', { name: 'Votar', exact: true }).click();
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  expect(requested.filter((path) => path === '/api/goty')).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test('W24 W50 both screens are shown without JavaScript, and nothing pulses', {
  tag: BOTH_HOMES,
}, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, heading] of [
    ['/inicio', 'Game of the year'],
    ['/goty', 'votar por el juego del año'],
  ] as const) {
    await page.goto(`${baseURL}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByRole('navigation')).toBeVisible();
    // Playwright finds no text in it.
    await expect(page.locator('noscript')).toBeVisible();
    expect(await page.locator('.skeleton').count()).toBeGreaterThan(0);
    await expect(page.locator('.skeleton:visible')).toHaveCount(0);
  }
  await context.close();
});

test('W24 the manifest, its icons and the preview image exist', { tag: BOTH_HOMES }, async ({
  page,
  request,
}) => {
  await page.goto('/goty');
  await expect(page).toHaveTitle(texts.goty.title);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  const icon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
  const manifest = await page.locator('link[rel="manifest"]').getAttribute('href');
  const { icons, start_url } = await (await request.get(manifest ?? '')).json();
  const urls = [image, icon, start_url, ...icons.map(({ src }: { src: string }) => src)];
  for (const url of urls) expect((await request.get(url)).status(), url).toBe(200);
});

test('W51 the files that are asked for unasked exist, and the address is canonical', {
  tag: BOTH_HOMES,
}, async ({ page, request }) => {
  const favicon = await request.get('/favicon.ico');
  expect((await favicon.body()).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  expect(await (await request.get('/robots.txt')).text()).toMatch(/^User-agent: \*/);
  await page.goto('/goty?from=mail');
  const canonical = page.locator('link[rel="canonical"]');
  await expect(canonical).toHaveAttribute('href', new URL('/goty', page.url()).href);
  const alt = page.locator('meta[property="og:image:alt"]');
  await expect(alt).toHaveAttribute('content', metadata.imageAlt);
});

test('W16 chart and live results are loaded on demand, the dialog with the cards', {
  tag: BOTH_HOMES,
}, async ({ page, live }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const loadedChunks = () =>
    ['/results-', live.chunk, '/sweet-dialog-'].filter((chunk) =>
      requested.some((path) => path.includes(chunk)),
    );
  const listGate = Promise.withResolvers<void>();
  await page.route(NOMINEES, async (route) => {
    await listGate.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect.poll(() => isHydrated(page)).toBe(true);
  expect(loadedChunks()).toEqual([]);
  listGate.resolve();
  await expect.poll(loadedChunks).toEqual(['/sweet-dialog-']);
  requested.length = 0;
  await page.goto('/inicio');
  await expect(votesCell(page, 'Hades II')).toBeAttached();
  expect(loadedChunks()).toEqual(['/results-', live.chunk]);
});

test('W16 the QR code is loaded where there is room for it', async ({ page }) => {
  const chunks: string[] = [];
  page.on('request', (request) => chunks.push(new URL(request.url()).pathname));
  const isLoaded = (name: string) => chunks.some((path) => path.startsWith(`/assets/${name}-`));
  await page.goto('/inicio');
  // It is asked for together with the QR code, or after it.
  await expect.poll(() => isLoaded('share-button')).toBe(true);
  expect(isLoaded('qr-code')).toBe(false);
  await page.setViewportSize({ width: 1600, height: 900 });
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
});
