// `pnpm start`: builds the page where it changed, then serves it from this process.
import { spawnSync } from 'node:child_process';
import './check-node.mjs';

const build = spawnSync(
  'turbo',
  ['run', 'build', '--filter=@goty/web', '--output-logs=errors-only'],
  {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
if (build.status !== 0) {
  console.error('The page could not be built: `npx pnpm@12 build` says why.');
  process.exit(1);
}

await import('../apps/functions/src/standalone.ts');
