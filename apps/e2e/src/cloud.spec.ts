import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SECURITY_HEADERS } from '@goty/functions/security-headers';
import { startTcpProxy } from '@goty/functions/tcp-proxy';
import { answers, texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import {
  asVotes,
  chart,
  expect,
  FAILED_REQUEST,
  shownVotes,
  test,
  votesCell,
} from './goty-test.ts';

// What only the cloud home has: all else it shares with the other one.

const GAME = 'Hades II';

test.describe('F1 a visitor who uses the SDK in the page', () => {
  const ATTEMPTS = {
    'set the votes of a game': `sdk.updateDoc(sdk.doc(db, 'goty/hades-2'), { votos: 1000 })`,
    'replace a game': `sdk.setDoc(sdk.doc(db, 'goty/hades-2'), { votos: 1000 })`,
    'add a game': `sdk.setDoc(sdk.doc(db, 'goty/mine'), { name: 'Mine', votos: 1 })`,
    'add a ballot': `sdk.setDoc(sdk.doc(db, 'ballots/mine'), { game: 'hades-2', at: 1 })`,
    'read a ballot': `sdk.getDoc(sdk.doc(db, 'ballots/mine'))`,
    'list the ballots': `sdk.getDocs(sdk.collection(db, 'ballots'))`,
  };

  for (const [what, attempt] of Object.entries(ATTEMPTS)) {
    test(`F1 cannot ${what}`, async ({ page, firestore, expectedErrors }) => {
      expectedErrors.push(FAILED_REQUEST);
      expect(await runInPage(page, firestore, attempt)).toBe('permission-denied');
    });
  }

  test('F1 can read the games', async ({ page, firestore }) => {
    expect(await runInPage(page, firestore, `sdk.getDocs(sdk.collection(db, 'goty'))`)).toBe(
      'done',
    );
  });
});

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

test('W11 inicio: games that nobody may read are a failure, and the button tries again', async ({
  page,
  firestore,
}) => {
  const projectId = `demo-${randomUUID()}`;
  await setRules(firestore, projectId, 'false');
  await page.route('**/__/firebase/init.json', (route) =>
    route.fulfill({ json: { projectId, apiKey: 'none' } }),
  );
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.failed);
  await setRules(firestore, projectId, 'true');
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(page.getByText(texts.states.empty)).toBeVisible();
});

test('W11 inicio: a page without configuration is a failure', async ({ page, expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.route('**/__/firebase/init.json', (route) => route.fulfill({ status: 404 }));
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.failed);
});

test('B2 B3 B4 B5 B7 refusals come through Hosting in JSON, and no cache keeps them', async ({
  request,
}) => {
  const json = { 'Content-Type': 'application/json' };
  for (const [method, path, data, status, mensaje] of [
    ['POST', '/api/goty/nobody', '{}', 404, answers.unknownGame],
    ['POST', '/api/goty/a%2Fb', '{}', 404, answers.unknownGame],
    ['POST', '/api/goty/hades-2', '{"a":', 400, answers.badBody],
    ['POST', '/api/goty/hades-2', '[]', 400, answers.badBody],
    ['POST', '/api/goty/hades-2', `{"a":"${'x'.repeat(1_024)}"}`, 413, answers.bodyTooLarge],
    ['PUT', '/api/goty', '{}', 405, answers.methodNotAllowed],
    ['GET', '/api/nothing', '', 404, answers.notFound],
  ] as const) {
    const body = data === '' ? {} : { data, headers: json };
    const answer = await request.fetch(path, { method, ...body });
    expect(answer.status(), `${method} ${path} ${data.slice(0, 20)}`).toBe(status);
    expect(await answer.json()).toEqual({ ok: false, mensaje });
    expect(answer.headers()['cache-control']).toBe('no-store');
  }
});

test('F7 Hosting keeps hashed files for a year and the list for a minute, and asks for the page anew', async ({
  page,
}) => {
  const caching: Record<string, string | undefined> = {};
  const answer = await page.request.get('/inicio');
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (name === 'Content-Security-Policy') continue;
    expect(answer.headers()[name.toLowerCase()]).toBe(value);
  }
  expect(answer.headers()['content-security-policy']).toMatch(/^default-src 'self'; connect-src /);
  page.on('response', (response) => {
    caching[new URL(response.url()).pathname] = response.headers()['cache-control'];
  });
  await page.goto('/goty');
  await expect(page.getByRole('article')).toHaveCount(8);
  expect(caching['/goty']).toBe('no-cache');
  expect(caching['/api/goty']).toBe('public, max-age=0, s-maxage=60');
  const assets = Object.entries(caching).filter(([path]) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(2);
  for (const [, value] of assets) expect(value).toBe('public, max-age=31536000, immutable');
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

/**
 * Runs an expression with the SDK of the page's version as `sdk` and the page's database as `db`.
 * Resolves with `done` or the code of the error.
 */
async function runInPage(page: Page, firestore: string, expression: string): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));
  await page.route('**/sdk/*.js', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const code = readFileSync(join(folder, name), 'utf8');
    const body = code.replaceAll(/https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+/g, '/sdk');
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  const [host, port] = firestore.split(':');
  await page.route('**/sdk/attempt.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `
        import { initializeApp } from '/sdk/firebase-app.js';
        import * as sdk from '/sdk/firebase-firestore.js';
        const config = await (await fetch('/__/firebase/init.json')).json();
        const db = sdk.getFirestore(initializeApp(config));
        sdk.connectFirestoreEmulator(db, '${host}', ${port});
        export const result = await ${expression}.then(() => 'done', ({ code }) => code);
      `,
    }),
  );
  await page.goto('/goty');
  return page.evaluate(async () => (await import(String('/sdk/attempt.js'))).result);
}

/** Lets everybody read and write in a project of the emulator, or nobody. */
async function setRules(firestore: string, projectId: string, condition: 'true' | 'false') {
  const content = `service cloud.firestore {
    match /databases/{database}/documents/{path=**} { allow read, write: if ${condition}; }
  }`;
  const rules = { files: [{ name: 'firestore.rules', content }] };
  const answer = await fetch(
    `http://${firestore}/emulator/v1/projects/${projectId}:securityRules`,
    {
      method: 'PUT',
      body: JSON.stringify({ rules }),
    },
  );
  expect(answer.status).toBe(200);
}
