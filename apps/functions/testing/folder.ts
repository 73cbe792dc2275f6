import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new, empty folder for the running test, removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goty-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
