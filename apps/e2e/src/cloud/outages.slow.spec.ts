import { startTcpProxy } from '@goty/functions/tcp-proxy';
import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  asVotes,
  chart,
  expect,
  FAILED_REQUEST,
  shownVotes,
  test,
  votesCell,
} from '../../testing/goty-test.ts';

const GAME = 'Hades II';

test('W11 inicio: Firestore goes down and comes back while the page is open', async ({
  page,
  firestore,
  expectedErrors,
}) => {
  test.setTimeout(150_000);
  expectedErrors.push(FAILED_REQUEST);
  const line = await startTcpProxy(firestore);
  await leadTo(page, firestore, `127.0.0.1:${line.port}`);
  await page.goto('/inicio');
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
  const before = await shownVotes(page, GAME);

  line.cut();
  // The SDK tries some four times, ever later, before it gives its connection up.
  await expect(page.getByText(texts.inicio.offline)).toBeVisible({ timeout: 60_000 });
  await expect(chart(page)).toBeVisible();

  expect((await page.request.post('/api/goty/hades-2')).status()).toBe(200);
  line.restore();
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(votesCell(page, GAME)).toHaveText(asVotes(before + 1));
  await line.close();
});

test('W11 inicio: a Firestore that is down from the start is no connection, not an empty vote', async ({
  page,
  firestore,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  const line = await startTcpProxy(firestore);
  line.cut();
  await leadTo(page, firestore, `127.0.0.1:${line.port}`);
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.offlineEmpty);
  await expect(page.getByText(texts.states.empty)).toHaveCount(0);
  line.restore();
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(votesCell(page, GAME)).toBeAttached();
  await line.close();
});

/** Has the page look for Firestore at another address than that of its HTML. */
async function leadTo(page: Page, from: string, to: string) {
  await page.route('**/inicio', async (route) => {
    const answer = await route.fetch();
    const policy = answer.headers()['content-security-policy'] ?? '';
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll(from, to),
      headers: { ...answer.headers(), 'content-security-policy': policy.replaceAll(from, to) },
    });
  });
}
