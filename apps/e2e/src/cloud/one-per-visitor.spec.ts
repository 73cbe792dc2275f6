import type { APIRequestContext } from '@playwright/test';
import { LIMITED_PORT_OFFSET } from '../../testing/emulators-config.ts';
import { expect, FAILED_REQUEST, test, voteButton, votesCell } from '../../testing/goty-test.ts';

// Chromium logs each 409.
test.use({ expectedErrors: [FAILED_REQUEST] });

async function votesOf(request: APIRequestContext, home: string): Promise<number> {
  const { standings } = await (await request.get(`${home}/api/standings`)).json();
  return standings.reduce((sum: number, [, , votos]: [string, string, number]) => sum + votos, 0);
}

test('V12 behind Hosting one vote of a browser counts, and only list and votes come with its cookie', async ({
  page,
  request,
  baseURL,
}) => {
  const { hostname, port } = new URL(baseURL ?? '');
  const home = `http://${hostname}:${Number(port) + LIMITED_PORT_OFFSET}`;
  const before = await votesOf(request, home);
  const statuses = [];
  for (const game of ['Hades II', ...Array(4).fill('Blue Prince')]) {
    await page.goto(`${home}/goty`);
    const answer = page.waitForResponse(/\/api\/goty\/./);
    await voteButton(page, game).click();
    statuses.push((await answer).status());
    await expect(page.getByRole('dialog')).toBeVisible();
    // As in a browser that has lost its memory, but not its cookie.
    await page.evaluate(() => localStorage.clear());
  }
  expect(statuses).toEqual([200, 409, 409, 409, 409]);
  await expect.poll(() => votesOf(request, home)).toBe(before + 1);

  const cookies = new Map<string, boolean>();
  page.on('response', async (response) => {
    const { cookie = '' } = await response.request().allHeaders();
    cookies.set(new URL(response.url()).pathname, cookie.includes('__session'));
  });
  await page.goto(`${home}/inicio`);
  await expect(votesCell(page, 'Hades II')).toBeVisible();
  await expect.poll(() => cookies.has('/api/standings')).toBe(true);
  await page.goto(`${home}/goty`);
  await expect(voteButton(page, 'Hades II')).toBeVisible();
  await expect.poll(() => cookies.get('/api/goty')).toBe(true);
  expect([cookies.get('/api/standings'), cookies.get('/inicio')]).toEqual([false, false]);
});
