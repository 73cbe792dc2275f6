import AxeBuilder from '@axe-core/playwright';
import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  chart,
  expect,
  FAILED_REQUEST,
  NOMINEES,
  outcomeDialog,
  test,
  voteButton,
  votesCell,
} from '../testing/goty-test.ts';
import { STATES } from '../testing/states.ts';

/** Runs axe: WCAG 2.1 A and AA, its best practices, and the size of targets of WCAG 2.2. */
async function expectNoViolations(page: Page) {
  const rules = { 'target-size': { enabled: true } };
  const { violations } = await new AxeBuilder({ page }).options({ rules }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
}

for (const [name, openState] of Object.entries(STATES)) {
  test(`W11 W20 ${name}: is shown, without axe violations in any colours`, async ({
    page,
    live,
    expectedErrors,
  }) => {
    expectedErrors.push(FAILED_REQUEST);
    await openState({ page, live });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    await expectNoViolations(page);
  });
}

test('W22 the skip link moves the focus to the main content', async ({ page }) => {
  await page.goto('/inicio');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('W18 nothing is animated with prefers-reduced-motion', async ({ page }) => {
  const listGate = Promise.withResolvers<void>();
  await page.route(NOMINEES, async (route) => {
    await listGate.promise;
    await route.continue();
  });
  await page.goto('/goty');
  await expect(page.getByRole('status', { name: texts.goty.loading })).toBeVisible();
  // The notice of W29 waits in an animation until main.tsx removes it.
  await expect(page.locator('#late')).toHaveCount(0);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  listGate.resolve();
  await voteButton(page, 'Hades II').click();
  await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('W6 any name is shown as plain text', async ({ page, live }) => {
  const names = [
    '<img src=x onerror=alert(1)>',
    'لعبة السنة',
    'Un nombre de ciento veinte caracteres '.repeat(4).slice(0, 120).trim(),
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  ];
  page.on('dialog', (dialog) => {
    throw new Error(dialog.message());
  });
  await page.route(NOMINEES, (route) =>
    route.fulfill({ json: names.map((name, id) => ({ id: `g${id}`, name, url: '/trophy.svg' })) }),
  );
  await live.fakeStandings(
    names.map((name, id) => ({ id: `g${id}`, name, votos: 12_345_678 * id })),
  );
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/goty');
    for (const name of names) {
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
    }
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    for (const name of names) await expect(votesCell(page, name)).toHaveText(/votos$/);
  }
});
