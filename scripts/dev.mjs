// `pnpm dev`: the API with restart and the page with hot reload. Port and database differ from
// those of `pnpm start`, so both can run at once.
import { spawnSync } from 'node:child_process';
import './check-node.mjs';

const { status } = spawnSync('turbo', ['run', 'dev', '--ui=stream', '--env-mode=loose'], {
  env: {
    DATABASE: '.data/dev.sqlite',
    PORT: '3001',
    TURBO_TELEMETRY_DISABLED: '1',
    ...process.env,
  },
  shell: process.platform === 'win32',
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
