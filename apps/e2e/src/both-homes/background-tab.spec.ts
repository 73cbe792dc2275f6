import { findBrowser } from '../../testing/browser.ts';
import { expect, test } from '../../testing/goty-test.ts';
import { openHidden } from '../../testing/hidden-tab.ts';

/** JavaScript expressions that become true in the page, by its path. */
const SIGNS = {
  '/goty': [
    `document.querySelectorAll('article button').length === 8`,
    hasLoaded('/assets/dialog-'),
    hasLoaded('/api/standings'),
  ],
  '/inicio': [
    `document.querySelectorAll('tbody tr').length === 8`,
    `document.querySelector('canvas')?.height === 300`,
    hasLoaded('/api/standings'),
  ],
};
/** Whether React has taken over the screen, not only begun. */
const IS_READY = `Object.keys(document.querySelector('main')).some((key) => key.startsWith('__reactFiber'))`;

function hasLoaded(path: string): string {
  return `performance.getEntriesByType('resource').some(({ name }) => name.includes('${path}'))`;
}

for (const [path, signs] of Object.entries(SIGNS)) {
  test(`W84 ${path} is ready in a background tab`, async ({
    playwright,
    launchOptions,
    baseURL,
  }) => {
    // A browser without windows shows a tab that is behind another one.
    const options = { ...launchOptions, ...(await findBrowser()) };
    await using browser = await playwright.chromium.launch(options);
    await using tab = await openHidden(browser, `${baseURL}${path}`);
    const isHidden = await tab.evaluate(`document.visibilityState === 'hidden'`);
    test.info().skip(!isHidden, 'No Chromium or Chrome with windows is installed.');
    for (const sign of [IS_READY, ...signs]) {
      await expect.poll(() => tab.evaluate(sign), sign).toBe(true);
    }
    expect(await tab.evaluate('document.visibilityState')).toBe('hidden');
  });
}
