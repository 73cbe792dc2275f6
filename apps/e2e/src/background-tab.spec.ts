import type { Browser } from '@playwright/test';
import { BOTH_HOMES, expect, test } from '../testing/goty-test.ts';
import { type HiddenTab, openHidden } from '../testing/hidden-tab.ts';

/** Whether React has taken over the screen, not only begun. */
const IS_READY = `Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber'))`;
const LOADED = `performance.getEntriesByType('resource').map(({ name }) => name).join(' ')`;

test('W84 goty that is opened in the background is ready before it is shown', {
  tag: BOTH_HOMES,
}, async ({ browser, baseURL }) => {
  await using tab = await openBehind(browser, `${baseURL}/goty`);
  await expect.poll(() => tab.evaluate(IS_READY)).toBe(true);
  await expect
    .poll(() => tab.evaluate(`document.querySelectorAll('article button').length`))
    .toBe(8);
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/api/status');
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/assets/sweet-dialog');
  expect(await isHidden(tab)).toBe(true);
});

test('W84 inicio that is opened in the background is live before it is shown', {
  tag: BOTH_HOMES,
}, async ({ browser, baseURL }) => {
  await using tab = await openBehind(browser, `${baseURL}/inicio`);
  await expect.poll(() => tab.evaluate(IS_READY)).toBe(true);
  await expect.poll(() => tab.evaluate(`document.querySelectorAll('tbody tr').length`)).toBe(8);
  await expect.poll(() => tab.evaluate(`document.querySelector('canvas')?.height`)).toBe(300);
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/api/status');
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/assets/share-button');
  expect(await isHidden(tab)).toBe(true);
});

/** Opens a page behind another tab. Skips the test in a headless shell, which shows every tab. */
async function openBehind(browser: Browser, url: string): Promise<HiddenTab> {
  const tab = await openHidden(browser, url);
  if (await isHidden(tab)) return tab;
  await tab[Symbol.asyncDispose]();
  test.info().skip(true, 'This browser, a headless shell, shows a tab that is behind another one.');
  throw new Error('unreachable');
}

async function isHidden(tab: HiddenTab): Promise<boolean> {
  return (await tab.evaluate('document.visibilityState')) === 'hidden';
}
