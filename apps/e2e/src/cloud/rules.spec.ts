import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, FAILED_REQUEST, test } from '../../testing/goty-test.ts';

test.describe('F1 a visitor with the Firestore SDK', () => {
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

/**
 * Runs an expression in the page, with the Firestore SDK as `sdk` and the page's database as `db`.
 *
 * @param firestore `host:port` of the emulator
 * @param expression a promise, as JavaScript
 * @returns `done`, or the error code
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
