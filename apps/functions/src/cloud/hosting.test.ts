import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';
import { expect, test } from 'vitest';
import { HSTS, SECURITY_HEADERS } from '../http/security-headers.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const { hosting, emulators } = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8'));

test('F11 App Check is not in the CSP, and what firebase.md adds is what its SDK loads', () => {
  const added = [
    ...readFileSync(join(ROOT, 'docs/firebase.md'), 'utf8').matchAll(/`([^`]*\/recaptcha\/;?)`/g),
  ];
  const allowed = added.flatMap(([, directive = '']) => directive.match(/https:[^ ;]+/g) ?? []);
  const policy = headersOf('.*')['Content-Security-Policy'];
  for (const origin of allowed) expect(policy).not.toContain(origin);
  const sdk = createRequire(createRequire(import.meta.url).resolve('firebase/app-check'));
  const loaded = readFileSync(sdk.resolve('@firebase/app-check'), 'utf8').matchAll(
    /'(https:\/\/(?:content-|www\.google)[^']*)'/g,
  );
  const urls = [...loaded].map(([, url = '']) => url);
  expect(urls).toHaveLength(3);
  for (const url of urls)
    expect(
      allowed.filter((prefix) => url.startsWith(prefix)),
      url,
    ).not.toEqual([]);
});

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
