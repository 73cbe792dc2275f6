import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** A new, empty folder, removed when this process ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goty-measure-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
