import { randomUUID } from 'node:crypto';
import { startTcpProxy } from '@goty/functions/tcp-proxy';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { chart, expect, FAILED_REQUEST, GAME, test, votesCell } from '../../testing/goty-test.ts';
import { shownVotes, voteElsewhere, votesText } from '../../testing/steps.ts';

test.use({ expectedErrors: [FAILED_REQUEST] });

test('W11 Firestore goes down and comes back while inicio is open', async ({ page, firestore }) => {
  await page.clock.install();
  const proxy = await startTcpProxy(firestore);
  await redirectFirestore(page, firestore, `127.0.0.1:${proxy.port}`);
  await page.goto('/inicio');
  const live = page.getByText(texts.inicio.live, { exact: true });
  await expect(live).toBeVisible();
  const before = await shownVotes(page, GAME);

  proxy.cut();
  await passBackoff(page, page.getByText(texts.inicio.offline));
  await expect(chart(page)).toBeVisible();

  await voteElsewhere(page, 'hades-2');
  proxy.restore();
  await passBackoff(page, live);
  await expect(votesCell(page, GAME)).toHaveText(votesText(before + 1));
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

test('W11 without configuration or the right to read, inicio fails', async ({
  page,
  firestore,
}) => {
  const projectId = `demo-${randomUUID()}`;
  const config = '**/__/firebase/init.json';
  const failure = page.getByRole('alert').filter({ hasText: texts.inicio.failed });
  await page.route(config, (route) => route.fulfill({ status: 404 }));
  await page.goto('/inicio');
  await expect(failure).toBeVisible();

  await setRules(firestore, projectId, 'false');
  await page.route(config, (route) => route.fulfill({ json: { projectId, apiKey: 'none' } }));
  await page.goto('/inicio');
  await expect(failure).toBeVisible();
  await setRules(firestore, projectId, 'true');
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(page.getByText(texts.states.empty)).toBeVisible();
});

/** Sets the rules of an emulator project: `true` lets everybody read and write, `false` nobody. */
async function setRules(firestore: string, projectId: string, condition: 'true' | 'false') {
  const content = `service cloud.firestore {
    match /databases/{database}/documents/{path=**} { allow read, write: if ${condition}; }
  }`;
  const { status } = await fetch(
    `http://${firestore}/emulator/v1/projects/${projectId}:securityRules`,
    {
      method: 'PUT',
      body: JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content }] } }),
    },
  );
  expect(status).toBe(200);
}
