import { spawnSync } from 'node:child_process';
import { OperatorError } from '../src/runtime/operator-error.ts';

/** If the registry is unreachable, npm retries for longer than this. */
const TIMEOUT_MS = 120_000;

/**
 * Writes the package-lock.json of the Function's folder, from which Google's build installs.
 * Transitive dependencies get the newest versions in range.
 *
 * @param folder the built folder, with its package.json
 * @throws OperatorError if npm fails or takes longer than two minutes
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
