import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, inject, test } from 'vitest';

const emulator = inject('firestore');
const host = 'host' in emulator ? emulator.host : '';
const rules = readFileSync(resolve(import.meta.dirname, '../../../firestore.rules'), 'utf8');

/** A database with our rules and one document of each kind, and requests to it as a visitor. */
async function setUp() {
  const project = `demo-${randomUUID()}`;
  const source = { files: [{ name: 'firestore.rules', content: rules }] };
  const put = await fetch(`http://${host}/emulator/v1/projects/${project}:securityRules`, {
    method: 'PUT',
    body: JSON.stringify({ rules: source }),
  });
  expect(put.status).toBe(200);
  const documents = `http://${host}/v1/projects/${project}/databases/(default)/documents`;
  const body = JSON.stringify({ fields: { votos: { integerValue: '1' } } });
  for (const path of ['goty/a', 'ballots/b']) {
    // The emulator takes this token for the server's, which no rule binds.
    const Authorization = 'Bearer owner';
    await fetch(`${documents}/${path}`, { method: 'PATCH', body, headers: { Authorization } });
  }
  return async (method: string, path: string) => {
    const init = method === 'PATCH' || method === 'POST' ? { method, body } : { method };
    return (await fetch(`${documents}/${path}`, init)).status;
  };
}

test.skipIf(host === '').each([
  ['GET', 'goty/a', 200],
  ['GET', 'goty', 200],
  ['PATCH', 'goty/a', 403],
  ['PATCH', 'goty/new', 403],
  ['POST', 'goty', 403],
  ['DELETE', 'goty/a', 403],
  ['GET', 'goty/a/deep/b', 403],
  ['GET', 'ballots/b', 403],
  ['GET', 'ballots', 403],
  ['PATCH', 'ballots/b', 403],
  ['POST', 'ballots', 403],
  ['DELETE', 'ballots/b', 403],
  ['GET', 'anything/else', 403],
])('C1 a visitor who sends %s %s to Firestore gets %i', async (method, path, status) => {
  const visit = await setUp();
  expect(await visit(method, path)).toBe(status);
});
