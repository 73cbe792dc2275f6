import { voteTexts } from '@goty/shared/vote-texts';
import { expect, test, voteButton } from '../testing/goty-test.ts';

test('W41 an open page says that the vote has closed, and then that it is open again', async ({
  page,
}) => {
  const times: { closesAt?: number } = {};
  await page.route('**/api/status', (route) =>
    route.fulfill({ json: { now: Date.now(), nominees: '', onePerVisitor: false, ...times } }),
  );
  await page.goto('/goty');
  const button = voteButton(page, 'Hades II');
  await expect(button).toBeEnabled();
  const top = await button.evaluate((element) => element.getBoundingClientRect().top);
  times.closesAt = Date.now();
  await expect(page.getByText(voteTexts.closed)).toBeVisible();
  await expect(button).toBeDisabled();
  expect(await button.evaluate((element) => element.getBoundingClientRect().top)).toBe(top);
  delete times.closesAt;
  await expect(button).toBeEnabled();
});

test('W42 changed nominees reach the cards of an open page, which keep image and focus', async ({
  page,
}) => {
  const response = await page.request.get('/api/goty');
  const nominees: { id: string; name: string }[] = await response.json();
  let revision = 'first';
  await page.route('**/api/status', (route) =>
    route.fulfill({ json: { now: Date.now(), nominees: revision } }),
  );
  await page.route('**/api/goty?v=*', (route) =>
    route.fulfill({
      json: nominees.map((nominee) =>
        nominee.id === 'hades-2' ? { ...nominee, name: 'Hades III' } : nominee,
      ),
    }),
  );
  await page.goto('/goty');
  const button = voteButton(page, 'Hades II');
  await button.focus();
  const cover = await page
    .getByRole('article', { name: 'Hades II' })
    .locator('img')
    .elementHandle();
  revision = 'second';
  await expect(voteButton(page, 'Hades III')).toBeFocused();
  expect(await cover?.evaluate((image) => image.isConnected)).toBe(true);
});
