import type { Page } from '@playwright/test';
import { chart, expect, FAILED_REQUEST, test, voteButton } from '../testing/goty-test.ts';
import { VISITS } from '../testing/states.ts';

// `pnpm pictures`: screenshots of both screens and of every state, for review, and the stills in docs.

const WIDTHS = [2560, 1920, 1440, 1024, 768, 375, 320] as const;
const SCHEMES = ['dark', 'light'] as const;

const STANDINGS = [
  ['blue-prince', 'Blue Prince', 127],
  ['clair-obscur', 'Clair Obscur: Expedition 33', 486],
  ['death-stranding-2', 'Death Stranding 2: On the Beach', 164],
  ['donkey-kong-bananza', 'Donkey Kong Bananza', 143],
  ['hades-2', 'Hades II', 231],
  ['hollow-knight-silksong', 'Hollow Knight: Silksong', 402],
  ['kingdom-come-2', 'Kingdom Come: Deliverance II', 188],
  ['split-fiction', 'Split Fiction', 96],
].map(([id, name, votos]) => ({ id: String(id), name: String(name), votos: Number(votos) }));

async function shoot(page: Page, name: string) {
  // In a full-page screenshot of a scrolled page, the sticky bar would be in the middle.
  await page.evaluate(() => window.scrollTo(0, 0));
  const path = `.artifacts/pictures/${test.info().project.name}/${name}.png`;
  await page.screenshot({ path, fullPage: true });
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

for (const [name, path, width, height] of [
  ['stage', '/inicio#sala', 1920, 1080],
  ['frozen', '/inicio', 1280, 800],
] as const) {
  test(`${name}, for docs`, async ({ page, live }) => {
    const now = Date.now();
    const freeze = name === 'frozen' ? { frozenAt: now - 1_800_000 } : {};
    await live.fakeStandings(STANDINGS, { closesAt: now + 1_800_000, ...freeze });
    await page.setViewportSize({ width, height });
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('main').getByText('Hades II').first()).toBeVisible();
    await page.screenshot({ path: `../../docs/${name}.jpg`, quality: 80 });
  });
}

for (const scheme of SCHEMES) {
  for (const width of WIDTHS) {
    test(`both screens at ${width} px, ${scheme}`, async ({ page, live }) => {
      await live.fakeStandings(STANDINGS);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/inicio');
      await expect(chart(page)).toBeVisible();
      await shoot(page, `inicio-${width}-${scheme}`);
      await page.goto('/goty');
      await expect(voteButton(page, 'Hades II')).toBeVisible();
      for (const cover of await page.getByRole('article').locator('img').all()) {
        await cover.scrollIntoViewIfNeeded();
        await expect(cover).toHaveJSProperty('complete', true);
      }
      await shoot(page, `goty-${width}-${scheme}`);
    });
  }

  for (const [visit, stepsOf] of Object.entries(VISITS)) {
    test(`${visit}, ${scheme}`, async ({ page, live, expectedErrors }) => {
      expectedErrors.push(FAILED_REQUEST);
      await page.emulateMedia({ colorScheme: scheme });
      for (const [state, step] of Object.entries(stepsOf({ page, live }))) {
        await step();
        await shoot(page, `state-${state.replaceAll(' ', '-')}-${scheme}`);
      }
    });
  }
}
