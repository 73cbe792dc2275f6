import { expect, test } from '../testing/goty-test.ts';
import { openHidden } from '../testing/hidden-tab.ts';

const VISIBILITY = 'document.visibilityState';
/** Whether React has taken over the screen, not only begun. */
const IS_READY = `Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber'))`;
const LOADED = `performance.getEntriesByType('resource').map(({ name }) => name).join(' ')`;

test('W84 goty that is opened in the background is ready before it is shown', async ({
  browser,
  baseURL,
}) => {
  await using tab = await openHidden(browser, `${baseURL}/goty`);
  await expect.poll(() => tab.evaluate(IS_READY)).toBe(true);
  expect(await tab.evaluate(`document.querySelectorAll('article button').length`)).toBe(8);
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/api/status');
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/assets/sweet-dialog');
  expect(await tab.evaluate(VISIBILITY)).toBe('hidden');
});

test('W84 inicio that is opened in the background is live before it is shown', async ({
  browser,
  baseURL,
}) => {
  await using tab = await openHidden(browser, `${baseURL}/inicio`);
  await expect.poll(() => tab.evaluate(IS_READY)).toBe(true);
  await expect.poll(() => tab.evaluate(`document.querySelectorAll('tbody tr').length`)).toBe(8);
  await expect.poll(() => tab.evaluate(`document.querySelector('canvas')?.height`)).toBe(300);
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/api/status');
  await expect.poll(() => tab.evaluate(LOADED)).toContain('/assets/share-button');
  expect(await tab.evaluate(VISIBILITY)).toBe('hidden');
});
