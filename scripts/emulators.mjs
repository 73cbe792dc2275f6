// `pnpm emulators [NOMINEES]`: builds the page and the Function, starts the Firebase emulators with them, and builds
// again whatever is saved meanwhile.
import { spawn } from 'node:child_process';
import { build, explainOptions } from './run.mjs';

explainOptions(
  'emulators [NOMINEES]\n\nRuns the cloud home on the Firebase emulators, with nominees.json or the file that you name. VOTE_POLICY and the other parameters\nof the Function are lines of apps/functions/.env.demo-goty.',
);

const WORKSPACES = ['@goty/web', '@goty/functions'];

build(...WORKSPACES);
const filters = WORKSPACES.map((workspace) => `--filter=${workspace}`);
const watcher = spawn('turbo', ['watch', 'build', '--output-logs=errors-only', ...filters], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.on('exit', () => watcher.kill());

await import('../apps/functions/emulators/start.ts');
