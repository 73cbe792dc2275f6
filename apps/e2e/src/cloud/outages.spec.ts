import { startTcpProxy } from '@goty/functions/tcp-proxy';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import {
  chart,
  expect,
  FAILED_REQUEST,
  shownVotes,
  test,
  votesCell,
  votesText,
} from '../../testing/goty-test.ts';

const GAME = 'Hades II';

test('W11 inicio: Firestore goes down and comes back while the page is open', async ({
  page,
  firestore,
  expectedErrors,
}) => {
  await page.clock.install();
  expectedErrors.push(FAILED_REQUEST);
  const proxy = await startTcpProxy(firestore);
  await redirectFirestore(page, firestore, `127.0.0.1:${proxy.port}`);
  await page.goto('/inicio');
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
  const before = await shownVotes(page, GAME);

  proxy.cut();
  await passBackoff(page, page.getByText(texts.inicio.offline));
  await expect(chart(page)).toBeVisible();

  expect((await page.request.post('/api/goty/hades-2')).status()).toBe(200);
  proxy.restore();
  await passBackoff(page, page.getByText(texts.inicio.live, { exact: true }));
  await expect(votesCell(page, GAME)).toHaveText(votesText(before + 1));
  await proxy.close();
});

test('W11 inicio: Firestore down from the start is shown as offline, not as empty', async ({
  page,
  firestore,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  const proxy = await startTcpProxy(firestore);
  proxy.cut();
  await redirectFirestore(page, firestore, `127.0.0.1:${proxy.port}`);
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.offlineEmpty);
  await expect(page.getByText(texts.states.empty)).toHaveCount(0);
  proxy.restore();
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(votesCell(page, GAME)).toBeAttached();
  await proxy.close();
});

/** The SDK retries with growing pauses: moves the page's time on, once it waits, until it shows this. */
async function passBackoff(page: Page, shown: Locator) {
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(shown).toBeVisible({ timeout: 500 });
  }).toPass();
}

/** Replaces the address of Firestore in the HTML and the CSP of inicio. */
async function redirectFirestore(page: Page, from: string, to: string) {
  await page.route('**/inicio', async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll(from, to),
      headers: { ...response.headers(), 'content-security-policy': policy.replaceAll(from, to) },
    });
  });
}
