import { texts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, test } from '../testing/goty-test.ts';
import { ARTICLE_ORIGIN } from '../testing/home.ts';

// Only for the icon that Chromium asks for.
test.use({ expectedErrors: [FAILED_REQUEST] });

test('P18 an article frames inicio in its height, without its bar', async ({ page, baseURL }) => {
  const article = `<iframe src="${baseURL}/inicio"></iframe>
    <script>
      addEventListener('message', ({ data }) => {
        if (data.type === 'goty:height') document.querySelector('iframe').height = data.height;
      });
    </script>`;
  await page.route(`${ARTICLE_ORIGIN}/**`, (route) =>
    route.fulfill({ body: article, contentType: 'text/html' }),
  );
  await page.goto(`${ARTICLE_ORIGIN}/`);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(frame.getByRole('navigation')).toBeHidden();
  const content = frame.locator('#root');
  const isWhole = async () => {
    const height = await page.locator('iframe').getAttribute('height');
    return Number(height) === Math.ceil((await content.boundingBox())?.height ?? 0);
  };
  await expect.poll(isWhole).toBe(true);

  const opened = page.waitForEvent('popup');
  await frame.getByRole('link', { name: texts.inicio.vote }).click();
  expect(new URL((await opened).url()).pathname).toBe('/goty');
  await expect(frame.getByRole('heading', { level: 1, name: texts.inicio.heading })).toBeVisible();
});
