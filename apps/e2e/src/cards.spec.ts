import { texts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, outcomeDialog, test, voteButton } from '../testing/goty-test.ts';

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>';

test('W34 a cover of another proportion is shown whole, and one that never comes has a placeholder', async ({
  page,
}) => {
  await page.route('**/covers/hades-2.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
  );
  await page.route('**/covers/split-fiction.svg', () => {});
  await page.goto('/goty', { waitUntil: 'commit' });
  for (const name of ['Hades II', 'Split Fiction']) {
    const card = page.getByRole('article', { name });
    const cover = card.locator('img');
    await cover.scrollIntoViewIfNeeded();
    await expect(cover).toHaveCSS('object-fit', 'contain');
    await expect(cover.locator('..')).toHaveCSS('background-image', /trophy\.svg/);
    const { width = 0, height = 1 } = (await cover.boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(16 / 9, 1);
  }
});

test('W34 a cover that failed before React came is replaced, too', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.route('**/covers/blue-prince.svg', (route) => route.fulfill({ status: 404 }));
  const failed = Promise.withResolvers<void>();
  await page.route(/\/assets\/main-/, async (route) => {
    await failed.promise;
    await route.continue();
  });
  await page.goto('/goty', { waitUntil: 'commit' });
  const cover = page.getByRole('article', { name: 'Blue Prince' }).locator('img');
  await expect(cover).toHaveJSProperty('complete', true);
  failed.resolve();
  await expect(cover).toHaveCount(0);
});

test('W35 with forced colours the button has a border and a ring, and outcomes differ', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/goty');
  await voteButton(page, 'Hades II').press('Enter');
  const dialog = outcomeDialog(page, 'Gracias');
  await expect(dialog).toBeVisible();
  const button = page.getByRole('button', { name: texts.dialog.confirm });
  await expect(button).toHaveCSS('outline-style', 'solid');
  await expect(button).toHaveCSS('border-top-style', 'solid');
  // The cover and the trophy.
  await expect(dialog.locator('img:visible')).toHaveCount(2);
  await button.press('Enter');
  await expect(page.getByText(texts.goty.yourVote)).toHaveCSS('border-top-style', 'solid');

  await page.route('**/api/goty/hades-2', (route) =>
    route.fulfill({ json: { ok: false, mensaje: 'No' } }),
  );
  await voteButton(page, 'Hades II').press('Enter');
  await expect(outcomeDialog(page, 'Ooops').getByText('!', { exact: true })).toBeVisible();
  await expect(outcomeDialog(page, 'Ooops').locator('img:visible')).toHaveCount(0);
});
