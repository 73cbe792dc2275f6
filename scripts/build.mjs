import { spawnSync } from 'node:child_process';

/** Builds those workspaces where they changed. Ends this process where one cannot be built. */
export function build(...workspaces) {
  const { status } = spawnSync(
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
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status === 0) return;
  console.error(`${workspaces.join(' or ')} could not be built: \`npx pnpm@12 build\` says why.`);
  process.exit(1);
}
