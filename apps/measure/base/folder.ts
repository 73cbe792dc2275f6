import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

// A signal would end this process without its 'exit'.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new, empty folder, removed when this process ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goty-measure-'));
  folders.push(folder);
  return folder;
}
