import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '@goty/functions/http-server';
import { apiTexts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, test } from '../testing/goty-test.ts';

// Also for the icon that Chromium asks for beside the refusal.
test.use({ expectedErrors: [FAILED_REQUEST] });

/** Serves a page on a port of its own, at every host name of this machine. */
async function serveForeignPage(html: string) {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), [Symbol.asyncDispose]: async () => void server.close() };
}

// The page is at localhost: 127.0.0.1 is another site, localhost with another port the same one.
for (const host of ['127.0.0.1', 'localhost']) {
  test(`B10 a page at another origin (${host}) cannot vote`, async ({ page, baseURL }) => {
    const address = `${baseURL}/api/goty/hades-2`;
    await using foreign = await serveForeignPage(
      `<form method="post" action="${address}"><button>Vote</button></form>`,
    );
    await page.goto(`http://${host}:${foreign.port}`);
    const received = page.waitForResponse(address);
    await page.evaluate((url) => fetch(url, { method: 'POST', mode: 'no-cors' }), address);
    expect((await received).status()).toBe(403);
    await page.getByRole('button').click();
    await expect(page.getByText(apiTexts.crossSite)).toBeVisible();
  });
}
