import { spawnSync } from 'node:child_process';
import { OperatorError } from '../src/runtime/operator-error.ts';

/** Where the registry cannot be reached npm would try for longer. */
const TIMEOUT_MS = 120_000;

/**
 * Writes the package-lock.json of the Function's folder, which Google's build installs from. The
 * packages that ours need in turn are the newest that fit.
 *
 * @throws OperatorError where npm cannot
 */
export function writeLockfile(folder: string) {
  const { status } = spawnSync(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: TIMEOUT_MS,
    },
  );
  if (status !== 0) throw new OperatorError('npm could not write the lockfile: see above.');
}
