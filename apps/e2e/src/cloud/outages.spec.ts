import { startTcpProxy } from '@goty/functions/testing/tcp-proxy';
import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import { expect, FAILED_REQUEST, test, votesCell } from '../../testing/goty-test.ts';
import { passTime, shownVotes, voteElsewhere, votesText } from '../../testing/steps.ts';

/** Other tests of this home vote for other games, and an instance may hear of these some seconds later. */
const OWN_GAME = 'Split Fiction';
/** The pauses of SDK and page are passed in such steps, in milliseconds. */
const PAUSE_MS = 3_000;

test.use({ expectedErrors: [FAILED_REQUEST] });

test('W90 Firestore goes down and comes back while inicio is open, and the chart moves on', async ({
  page,
  live,
  firestore,
}) => {
  await page.clock.install();
  const proxy = await startTcpProxy(firestore);
  await redirectFirestore(page, firestore, `127.0.0.1:${proxy.port}`);
  const listening = page.waitForRequest(live.push);
  await page.goto('/inicio');
  await listening;
  await expect(page.getByText(texts.inicio.status.open, { exact: true })).toBeVisible();
  const before = await shownVotes(page, OWN_GAME);
  const votes = votesCell(page, OWN_GAME);

  proxy.cut();
  await voteElsewhere(page, 'split-fiction');
  await passTime(page, PAUSE_MS, (within) =>
    expect(votes).toHaveText(votesText(before + 1), within),
  );
  await expect(page.getByText(texts.inicio.status.offline)).toHaveCount(0);

  const listeningAgain = page.waitForRequest(live.push);
  proxy.restore();
  await voteElsewhere(page, 'split-fiction');
  await passTime(page, PAUSE_MS, (within) =>
    expect(votes).toHaveText(votesText(before + 2), within),
  );
  await listeningAgain;
  await proxy.close();
});

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
