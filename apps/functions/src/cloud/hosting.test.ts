import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../runtime/project-root.ts';

test('F7 the Firestore emulator listens at the address that the page uses', () => {
  const { emulators } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'firebase.json'), 'utf8'));
  const { host, port } = emulators.firestore;
  expect(`${host}:${port}`).toBe(FIRESTORE_EMULATOR);
});
