import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';
import { expect, test } from 'vitest';
import { HSTS, SECURITY_HEADERS } from '../http/security-headers.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const { hosting, emulators } = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8'));

interface HeaderRule {
  readonly source?: string;
  readonly regex?: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

function headersOf(regex: string): Record<string, string> {
  const rules: readonly HeaderRule[] = hosting.headers;
  const found = rules.filter((rule) => rule.regex === regex).flatMap(({ headers }) => headers);
  return Object.fromEntries(found.map(({ key, value }) => [key, value]));
}

test('F7 Hosting sends the security headers of the standalone home, and allows Firestore', () => {
  const connect = `connect-src 'self' https://firestore.googleapis.com http://${FIRESTORE_EMULATOR}; `;
  const sent = headersOf('.*');
  const policy = sent['Content-Security-Policy'] ?? '';
  expect(policy).toContain(connect);
  expect({ ...sent, 'Content-Security-Policy': policy.replace(connect, '') }).toEqual({
    ...SECURITY_HEADERS,
    ...HSTS,
  });
});

test('F7 the Firestore emulator listens at the address that the page uses', () => {
  const { host, port } = emulators.firestore;
  expect(`${host}:${port}`).toBe(FIRESTORE_EMULATOR);
});
