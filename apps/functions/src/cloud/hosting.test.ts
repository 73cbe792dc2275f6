import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../http/security-headers.ts';

const { hosting, emulators } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../firebase.json'), 'utf8'),
);

interface HeaderRule {
  readonly source: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

function headersOf(source: string): Record<string, string> {
  const rules: readonly HeaderRule[] = hosting.headers;
  const found = rules.filter((rule) => rule.source === source).flatMap(({ headers }) => headers);
  return Object.fromEntries(found.map(({ key, value }) => [key, value]));
}

test('F7 Hosting sends the security headers of the standalone home, and lets Firestore through', () => {
  const { firestore } = emulators;
  const connect = `connect-src 'self' https://firestore.googleapis.com http://${firestore.host}:${firestore.port}; `;
  const sent = headersOf('**');
  const policy = sent['Content-Security-Policy'] ?? '';
  expect(policy).toContain(connect);
  expect(policy).not.toContain('unsafe-');
  expect({ ...sent, 'Content-Security-Policy': policy.replace(connect, '') }).toEqual(
    SECURITY_HEADERS,
  );
});

test('F7 the emulators have the ports that Firebase gives them', () => {
  expect(emulators.firestore.port).toBe(8080);
  expect(emulators.functions.port).toBe(5001);
  expect(emulators.hosting.port).toBe(5000);
});
