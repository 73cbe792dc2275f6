import { metadata, texts } from '@goty/shared/texts';
import { chart, expect, hasReact, NOMINEES, test, untilHydrated } from '../../testing/goty-test.ts';
import { PUBLIC_ORIGIN } from '../../testing/home.ts';
import { countRequests, gate } from '../../testing/network.ts';

const LIST = /\/api\/goty$/;
/** What a test holds back is used later than Chromium expects. */
const isOfTime = (warning: string) => warning.includes('not used within a few seconds');
/** What inicio loads to show the result and to hear of it. */
const RESULT = /\/(results|event-source|firestore)-/;

test('W10 W16 W24 W80 the first cover comes once, before the list if the HTML names it, and that once', async ({
  page,
  homeName,
}) => {
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  const requests = countRequests(page);
  const openList = await gate(page, NOMINEES);
  // Held no longer than that: after PAGE_TIMEOUT_MS the page would give the list up.
  page.on('response', (response) => /\/covers\//.test(response.url()) && openList());
  if (homeName === 'cloud') openList();
  await page.goto('/goty');
  const covers = page.getByRole('article').locator('img:last-child');
  await expect(covers).toHaveCount(8);
  const first = (await covers.first().getAttribute('src')) ?? '';
  await untilHydrated(page);
  await expect.poll(() => requests(/\/dialog-.*js/)).toBe(1);
  expect([requests(LIST), requests(new RegExp(first)), requests(RESULT)]).toEqual([1, 1, 0]);
  expect(warnings.filter((warning) => !isOfTime(warning))).toEqual([]);
});

test("W2 D1 a link whose '#' a filter of mails has encoded leads where it did, and no other site", async ({
  page,
}) => {
  for (const [path, shown] of [
    ['/inicio%23sala', '/inicio#sala'],
    ['/inicio%23directo&utm_source=qr', '/inicio#directo&utm_source=qr'],
    ['/Inicio/%23contenido', '/inicio#contenido'],
    ['/goty%23contenido', '/goty#contenido'],
    ['/inicio%23mesa%3Da-code', '/inicio'],
    ['/x.example/goty%23a', '/inicio'],
    ['/other%23sala', '/inicio'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page, path).toHaveURL(shown);
    const stage = page.locator('main[data-scene]');
    await expect(stage).toHaveCount(/#(sala|directo)/.test(shown) ? 1 : 0);
    await page.goBack();
    await expect(page).toHaveURL('about:blank');
  }
  await page.goto('/inicio');
  expect(await page.evaluate(() => sessionStorage.getItem('mesa'))).toBe('a-code');
});

test('W24 what HTML and browsers ask for exists', async ({ page, request, homeName }) => {
  await page.goto('/goty?from=mail');
  await expect(page).toHaveTitle(texts.goty.title);
  const read = (element: string, name: string) => page.locator(element).getAttribute(name);
  const origin = homeName === 'standalone' ? PUBLIC_ORIGIN : new URL(page.url()).origin;
  expect(
    await page.locator('link[rel="canonical"]').evaluate((link: HTMLLinkElement) => link.href),
  ).toBe(`${origin}/goty`);
  expect(await read('meta[property="og:image:alt"]', 'content')).toBe(metadata.imageAlt);
  const image = await read('meta[property="og:image"]', 'content');
  const icon = await read('link[rel="apple-touch-icon"]', 'href');
  const manifest = await read('link[rel="manifest"]', 'href');
  const { icons, start_url } = await (await request.get(manifest ?? '')).json();
  // The origin is one for visitors.
  const { pathname } = new URL(image ?? '', page.url());
  const urls = [pathname, icon, start_url, ...icons.map(({ src }: { src: string }) => src)];
  for (const url of urls) expect((await request.get(url)).status(), url).toBe(200);
  const favicon = await request.get('/favicon.ico');
  expect((await favicon.body()).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  expect(await (await request.get('/robots.txt')).text()).toMatch(/^User-agent: \*/);
});

test('W92 W60 the headline comes before React, which moves nothing', async ({ page }) => {
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  const requests = countRequests(page);
  const openReact = await gate(page, /\/main-.*\.js/);
  const openResults = await gate(page, /\/results-.*\.js/);
  await page.goto('/inicio');
  const headline = page.getByRole('heading', { level: 2 });
  await expect(headline).toBeVisible();
  const text = await headline.textContent();
  const box = await headline.boundingBox();
  expect(await page.evaluate(hasReact)).toBe(false);
  expect(requests(/\/api\//)).toBe(1);
  await page.evaluate(() => {
    const isLost = () => !document.querySelector('h2')?.checkVisibility();
    const watch = new MutationObserver(() => {
      if (!isLost()) return;
      watch.disconnect();
      document.body.dataset.lost = 'headline';
    });
    watch.observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  openReact();
  // The page has told the standings by then, and has nothing to show them with.
  await expect.poll(() => requests(/\/api\/(goty\/live|lease)$/)).toBe(1);
  openResults();
  await expect(chart(page)).toBeVisible();
  expect([await headline.textContent(), await headline.boundingBox()]).toEqual([text, box]);
  await expect(page.locator('body')).not.toHaveAttribute('data-lost');
  expect(warnings.filter((warning) => !isOfTime(warning))).toEqual([]);
});
