import type { Page } from '@playwright/test';

/** Holds the requests for `url` until the returned function is called. */
export async function gate(page: Page, url: string | RegExp): Promise<() => void> {
  const opened = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await opened.promise;
    await route.continue();
  });
  return opened.resolve;
}

/** Records the requests from now on. The returned function counts those that match, as 'GET /path'. */
export function countRequests(page: Page): (path: RegExp, method?: string) => number {
  const requests: string[] = [];
  page.on('request', (request) => {
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return (path, method = '') =>
    requests.filter((each) => each.startsWith(method) && path.test(each)).length;
}
