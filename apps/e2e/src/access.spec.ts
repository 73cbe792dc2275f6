import { appTexts } from '@goty/shared/app-texts';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import type { Locator, Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import {
  expect,
  FAILED_REQUEST,
  outcomeDialog,
  test,
  VOTE,
  voteButton,
} from '../testing/goty-test.ts';
import { countRequests } from '../testing/network.ts';
import { VISITS } from '../testing/states.ts';
import { closeDialog, openGoty, openInicio } from '../testing/steps.ts';

/** WCAG 2.1 A and AA, axe's best practices, and the size of targets of WCAG 2.2. */
const ALL_RULES: RunOptions = { rules: { 'target-size': { enabled: true } } };
const COLOR_RULES: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Fails if axe finds a violation in the page, which has to have loaded axe before. */
async function expectNoViolations(page: Page, state: string, rules: RunOptions) {
  const options: RunOptions = { ...rules, resultTypes: ['violations'] };
  const run = `axe.run(${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(run);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  expect(found, state).toEqual([]);
}

test.describe('every state', () => {
  test.use({ expectedErrors: [FAILED_REQUEST] });

  for (const [visit, stepsOf] of Object.entries(VISITS)) {
    test(`W11 W18 W20 ${visit}: each state is shown, without axe violations and motion`, async ({
      page,
      live,
    }) => {
      await page.addInitScript(axe.source);
      for (const [state, step] of Object.entries(stepsOf({ page, live }))) {
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
        await step();
        expect(await page.evaluate(animated), state).toEqual([]);
        await expectNoViolations(page, state, ALL_RULES);
        await page.emulateMedia({ colorScheme: 'light' });
        await expectNoViolations(page, `${state}, light`, COLOR_RULES);
        await page.emulateMedia({ forcedColors: 'active' });
        await expectNoViolations(page, `${state}, forced colours`, COLOR_RULES);
      }
    });
  }
});

/** What moves, except for the notice of W29, which waits in an animation. Fading is no motion. Runs in the page. */
function animated() {
  const isStill = (frame: ComputedKeyframe) =>
    Object.entries(frame).every(
      ([name, value]) =>
        /offset|easing|composite|opacity|visibility/i.test(name) ||
        /^(none|0px( 0(px|%))?)$/.test(String(value)),
    );
  return document.getAnimations().flatMap(({ effect }) => {
    if (!(effect instanceof KeyframeEffect) || effect.target?.id === 'late') return [];
    const frames = effect.getKeyframes();
    const isFade = effect.getTiming().iterations === 1 && frames.every(isStill);
    return isFade ? [] : [effect.target?.outerHTML, JSON.stringify(frames)];
  });
}

test('W9 W18 W22 the keyboard alone can skip the bar, and vote once', async ({ page }) => {
  const requests = countRequests(page);
  await openInicio(page);
  await expectTabTo(page, page.getByRole('link', { name: appTexts.nav.skip }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  for (const name of ['Votar', 'Inicio', appTexts.nav.brand]) {
    await expectTabTo(page, page.getByRole('link', { name, exact: true }), 'Shift+Tab');
  }
  await page.keyboard.press('Tab');
  await expectTabTo(page, page.getByRole('link', { name: 'Votar', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/goty');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  // Which one that is changes every minute.
  const button = page.getByRole('article').first().getByRole('button');
  await expect(button).toBeVisible();
  await expectTabTo(page, page.getByRole('link', { name: texts.goty.toResult }));
  await expectTabTo(page, button);
  const confirm = page.getByRole('button', { name: voteTexts.dialog.confirm });
  for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter');
  await expect(confirm).toBeFocused();
  for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(confirm).toBeFocused();
  expect(requests(/\/api\/goty\/[\w-]+$/, 'POST')).toBe(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button).toBeFocused();
});

/** Expects that the next Tab reaches this, with a ring around it. */
async function expectTabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await page.keyboard.press(key);
  await expect(target).toBeFocused();
  await expect(target).toHaveCSS('outline-style', 'solid');
  await expect(target).toHaveCSS('outline-width', '3px');
  await expect(target).not.toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)');
}

test('W35 with forced colours controls have a border and a ring', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openGoty(page);
  await voteButton(page).press('Enter');
  const dialog = outcomeDialog(page, 'Gracias');
  const button = dialog.getByRole('button', { name: voteTexts.dialog.confirm });
  await expect(button).toHaveCSS('outline-style', 'solid');
  await expect(button).toHaveCSS('border-top-style', 'solid');
  // The cover and the trophy: outcomes differ by more than their colours.
  await expect(dialog.locator('img:visible')).toHaveCount(2);
  await closeDialog(page);
  await expect(page.getByText(texts.goty.yourVote, { exact: true })).toHaveCSS(
    'border-top-style',
    'solid',
  );
  await expect(page.getByRole('complementary')).toHaveCSS('background-color', /^rgb\(/);

  await page.route(VOTE, (route) => route.fulfill({ json: { ok: false, mensaje: 'No' } }));
  await voteButton(page).press('Enter');
  const failure = outcomeDialog(page, 'Ooops');
  await expect(failure.getByText('!', { exact: true })).toBeVisible();
  await expect(failure.locator('img:visible')).toHaveCount(0);
});
