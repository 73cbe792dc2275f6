import { randomUUID } from 'node:crypto';
import { texts } from '@goty/shared/texts';
import { expect, FAILED_REQUEST, test } from '../../testing/goty-test.ts';

test('W11 inicio: denied read access is shown as a failure, and the button retries', async ({
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

test('W11 inicio: a missing Firebase configuration is shown as a failure', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.route('**/__/firebase/init.json', (route) => route.fulfill({ status: 404 }));
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.failed);
});

/** Sets the rules of an emulator project: `true` lets everybody read and write, `false` nobody. */
async function setRules(firestore: string, projectId: string, condition: 'true' | 'false') {
  const content = `service cloud.firestore {
    match /databases/{database}/documents/{path=**} { allow read, write: if ${condition}; }
  }`;
  const rules = { files: [{ name: 'firestore.rules', content }] };
  const response = await fetch(
    `http://${firestore}/emulator/v1/projects/${projectId}:securityRules`,
    {
      method: 'PUT',
      body: JSON.stringify({ rules }),
    },
  );
  expect(response.status).toBe(200);
}
