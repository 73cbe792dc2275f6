import AxeBuilder from '@axe-core/playwright';
import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  chart,
  expect,
  FAILED_REQUEST,
  outcome,
  pictureOf,
  test,
  voteButton,
  votesCell,
} from './goty-test.ts';
import type { LiveHands } from './live-hands.ts';

/** WCAG 2.2 A and AA, and what axe holds to be best practice. */
async function expectNoViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
}

/** Each state of the page: how to get there, and what shows that it is there. */
const STATES: Record<string, (at: { page: Page; live: LiveHands }) => Promise<void>> = {
  async inicio({ page }) {
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
  },
  async 'inicio with thirty games'({ page, live }) {
    await live.fake(thirtyGames());
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
  },
  async 'inicio loading'({ page, live }) {
    await page.route(live.url, () => {});
    await page.goto('/inicio');
    await expect(page.getByText(texts.inicio.loading)).toBeVisible();
  },
  async 'inicio empty'({ page, live }) {
    await live.fake([]);
    await page.goto('/inicio');
    await expect(page.getByText(texts.states.empty)).toBeVisible();
  },
  async 'inicio without connection'({ page, live }) {
    await page.route(live.url, (route) => route.abort());
    await page.goto('/inicio');
    await expect(page.getByText(texts.inicio.offlineEmpty)).toBeVisible();
  },
  async 'inicio with a connection that was lost'({ page }) {
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    await page.context().setOffline(true);
    await expect(page.getByText(texts.inicio.offline)).toBeVisible();
  },
  async goty({ page }) {
    await page.goto('/goty');
    await expect(voteButton(page, 'Hades II')).toBeVisible();
  },
  async 'goty loading'({ page }) {
    await page.route('**/api/goty', () => {});
    await page.goto('/goty');
    await expect(page.getByRole('status', { name: texts.goty.loading })).toBeVisible();
  },
  async 'goty empty'({ page }) {
    await page.route('**/api/goty', (route) => route.fulfill({ json: [] }));
    await page.goto('/goty');
    await expect(page.getByText(texts.states.empty)).toBeVisible();
  },
  async 'goty failed'({ page }) {
    await page.route('**/api/goty', (route) => route.fulfill({ status: 500 }));
    await page.goto('/goty');
    await expect(page.getByText(texts.goty.failed)).toBeVisible();
  },
  async 'goty while voting'({ page }) {
    await page.route('**/api/goty/hades-2', () => {});
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(voteButton(page, 'Hades II')).toHaveText(texts.goty.voting);
  },
  async 'goty with the dialog Gracias'({ page }) {
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(outcome(page, 'Gracias')).toBeVisible();
  },
  async 'goty with the dialog Ooops'({ page }) {
    await page.route('**/api/goty/hades-2', (route) => route.fulfill({ status: 500 }));
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(outcome(page, 'Ooops')).toBeVisible();
  },
  async 'goty with a vote of this browser'({ page }) {
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await expect(page.getByText(texts.goty.yourVote)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
};

for (const [name, reach] of Object.entries(STATES)) {
  for (const scheme of ['dark', 'light'] as const) {
    test(`W20 axe finds nothing: ${name}, ${scheme}`, async ({ page, live, expectedErrors }) => {
      expectedErrors.push(FAILED_REQUEST);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await reach({ page, live });
      await expectNoViolations(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      const file = `${name.replaceAll(' ', '-')}-${scheme}`;
      await page.screenshot({ path: pictureOf(`state-${file}`), fullPage: true });
    });
  }
}

test('W20 the chart, its table and its status can be found by name', async ({ page }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expect(page.getByRole('table', { name: texts.inicio.tableCaption })).toBeAttached();
  await expect(page.getByRole('status').filter({ hasText: /votos/ })).toBeAttached();
});

test('W22 the link over the bar leads to the content', async ({ page }) => {
  await page.goto('/inicio');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('W18 nothing moves for those who asked for that', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const list = Promise.withResolvers<void>();
  await page.route('**/api/goty', async (route) => {
    await list.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect(page.getByRole('status', { name: texts.goty.loading })).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  list.resolve();
  await voteButton(page, 'Hades II').click();
  await expect(outcome(page, 'Gracias')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('W3 thirty games scroll inside the chart, and the keyboard gets there', async ({
  page,
  live,
}) => {
  await live.fake(thirtyGames());
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  const region = page.getByRole('region', { name: texts.inicio.scrollable });
  expect((await region.boundingBox())?.height).toBe(300);
  await region.focus();
  await page.keyboard.press('End');
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});

test('W6 names are text, whatever they hold', async ({ page, live }) => {
  const names = [
    '<img src=x onerror=alert(1)>',
    'لعبة السنة',
    'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim(),
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  ];
  page.on('dialog', (dialog) => {
    throw new Error(dialog.message());
  });
  await page.route('**/api/goty', (route) =>
    route.fulfill({ json: names.map((name, id) => ({ id: `g${id}`, name, url: '/trophy.svg' })) }),
  );
  await live.fake(names.map((name, id) => ({ id: `g${id}`, name, votos: 12_345_678 * id })));
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/goty');
    for (const name of names) {
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
    }
    await page.screenshot({
      path: pictureOf(`names-goty-${width}`),
      fullPage: true,
    });
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    for (const name of names) await expect(votesCell(page, name)).toHaveText(/votos$/);
    await page.screenshot({
      path: pictureOf(`names-inicio-${width}`),
      fullPage: true,
    });
  }
});

function thirtyGames() {
  return Array.from({ length: 30 }, (_, index) => ({
    id: `game-${index}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
}
