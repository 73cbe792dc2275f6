import { startTcpProxy } from '@goty/functions/testing/tcp-proxy';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { expect, FAILED_REQUEST, test, votesCell } from '../../testing/goty-test.ts';
import { shownVotes, voteElsewhere, votesText } from '../../testing/steps.ts';

/** Other tests of this home vote for other games, and an instance may hear of these some seconds later. */
const OWN_GAME = 'Split Fiction';

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

  proxy.cut();
  await voteElsewhere(page, 'split-fiction');
  await passPauses(page, votesCell(page, OWN_GAME), votesText(before + 1));
  await expect(page.getByText(texts.inicio.status.offline)).toHaveCount(0);

  const listeningAgain = page.waitForRequest(live.push);
  proxy.restore();
  await voteElsewhere(page, 'split-fiction');
  await passPauses(page, votesCell(page, OWN_GAME), votesText(before + 2));
  await listeningAgain;
  await proxy.close();
});

/** Moves the page's time on, through the pauses of SDK and page, until it shows this. */
async function passPauses(page: Page, shown: Locator, text: string) {
  // Longer each time: on a busy machine answers take longer, and must come before the page's time has passed their deadlines.
  let timeout = 0;
  await expect(async () => {
    timeout += 500;
    await page.clock.fastForward(3_000);
    await expect(shown).toHaveText(text, { timeout });
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
