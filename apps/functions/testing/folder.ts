import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder of the running test's own, removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goty-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
