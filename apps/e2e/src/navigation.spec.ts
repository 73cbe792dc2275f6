import type { Page } from '@playwright/test';
import { expect, test, voteButton } from '../testing/goty-test.ts';
import { follow, openInicio, vote } from '../testing/steps.ts';

test('W22 a new screen fades in if motion is wanted, and takes presses', async ({ page }) => {
  await openInicio(page);
  await follow(page, 'Votar');
  await expect(voteButton(page)).toBeVisible();
  expect(await countFades(page)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openInicio(page);
  expect(await countFades(page)).toBe(0);
  await page.evaluate(() => {
    const slow = new CSSStyleSheet();
    slow.replaceSync('main > * { animation-duration: 1000s !important }');
    document.adoptedStyleSheets.push(slow);
  });
  for (const name of ['Votar', 'Inicio', 'Votar'] as const) {
    await follow(page, name);
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current');
    await expect.poll(() => countFades(page)).toBe(1);
  }
  await vote(page);
  expect(await countFades(page)).toBe(1);
});

function countFades(page: Page): Promise<number> {
  return page.evaluate(() => {
    // The dialog fades in, too.
    const isFade = (animation: Animation) =>
      animation instanceof CSSAnimation &&
      animation.animationName === 'appear' &&
      animation.effect instanceof KeyframeEffect &&
      animation.effect.target?.parentElement?.localName === 'main';
    return document.getAnimations().filter(isFade).length;
  });
}

test('W22 Back from goty returns to the place on inicio', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await openInicio(page);
  const place = () => page.evaluate(() => Math.round(window.scrollY));
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(place).toBeGreaterThan(200);
  const before = await place();
  // A click by Playwright would scroll.
  await page.getByRole('link', { name: 'Votar', exact: true }).dispatchEvent('click');
  await expect(voteButton(page)).toBeVisible();
  await expect.poll(place).toBe(0);
  await page.goBack();
  await expect.poll(place).toBe(before);
});
