import { expect, test } from '../../testing/goty-test.ts';

test.use({ javaScriptEnabled: false });

const HEADINGS = { '/inicio': 'Game of the year', '/goty': 'votar por el juego del año' };

test('W2 other paths become inicio without a script; Back leaves the page', async ({ page }) => {
  for (const path of ['/', '/nothing/here', '/v1.0']) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page).toHaveURL('/inicio');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(HEADINGS['/inicio']);
    await page.goBack();
    await expect(page).toHaveURL('about:blank');
  }
});

test('W2 W24 both screens are shown, also after a reload, and nothing pulses', async ({ page }) => {
  for (const [path, name] of Object.entries(HEADINGS)) {
    await page.goto(path);
    await page.reload();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('navigation')).toBeVisible();
    // Whether it is there is all that Playwright can tell: it finds no text in a `noscript`.
    await expect(page.locator('noscript')).toBeVisible();
    await expect(page.locator('.skeleton')).not.toHaveCount(0);
    await expect(page.locator('.skeleton:visible')).toHaveCount(0);
  }
});
