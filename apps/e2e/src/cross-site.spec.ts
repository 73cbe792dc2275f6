import { apiTexts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, test } from '../testing/goty-test.ts';

// The refusals, and the icon that Chromium asks for when one of them is shown as a page.
test.use({ expectedErrors: [FAILED_REQUEST] });

// The page is at localhost: 127.0.0.1 is another site, localhost with another port the same one.
for (const host of ['127.0.0.1', 'localhost']) {
  test(`B10 a page at another origin (${host}) cannot vote`, async ({ page, baseURL }) => {
    const address = `${baseURL}/api/goty/hades-2`;
    const foreign = `http://${host}:8000/`;
    const body = `<form method="post" action="${address}"><button>Vote</button></form>`;
    await page.route(foreign, (route) => route.fulfill({ body, contentType: 'text/html' }));
    await page.goto(foreign);
    const received = page.waitForResponse(address);
    await page.evaluate((url) => fetch(url, { method: 'POST', mode: 'no-cors' }), address);
    expect((await received).status()).toBe(403);
    await page.getByRole('button').click();
    await expect(page.getByText(apiTexts.crossSite)).toBeVisible();
  });
}
