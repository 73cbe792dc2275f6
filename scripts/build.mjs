import { spawnSync } from 'node:child_process';

/** Builds the workspaces that have changed. Exits with 1 if a build fails. */
export function build(...workspaces) {
  const { status, stdout } = spawnSync(
    'turbo',
    [
      'run',
      'build',
      '--output-logs=errors-only',
      ...workspaces.map((workspace) => `--filter=${workspace}`),
    ],
    {
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      shell: process.platform === 'win32',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status === 0) return;
  console.error(stdout);
  console.error(`${workspaces.join(' or ')} could not be built: see above.`);
  process.exit(1);
}
