// `pnpm dev`: the API with reload and the page with hot reload, beside a `pnpm start` and not in it:
// on another port and with other votes.
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
