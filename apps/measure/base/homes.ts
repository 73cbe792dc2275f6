import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '@goty/functions/testing/program';
import type { Nominee } from '@goty/shared/nominee';
import { ROOT } from './report.ts';

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

interface StandaloneOptions {
  /** The database; by default a new one. */
  readonly path?: string;
  /** By default those of this checkout. */
  readonly nominees?: readonly Nominee[];
  /** By default any free one. */
  readonly port?: number;
  /** Another server instead, which takes the same environment, with its arguments. */
  readonly instead?: readonly string[];
}

/**
 * Starts the standalone home as `pnpm start` does: with a young generation large enough that the garbage of votes dies
 * in it, which saves a tenth of their processor time. One address may send any number of votes, which are counted.
 */
export function startStandalone({
  path = join(newFolder(), 'goty.sqlite'),
  nominees,
  port = 0,
  instead = ['--max-semi-space-size=64', join(ROOT, 'apps/functions/src/standalone.ts')],
}: StandaloneOptions = {}) {
  const NOMINEES = `${path}.nominees.json`;
  if (nominees) writeFileSync(NOMINEES, JSON.stringify(nominees));
  return startProgram(instead, {
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE: path,
    VOTES_PER_MINUTE: '999999999',
    ...(nominees ? { NOMINEES } : {}),
  });
}
