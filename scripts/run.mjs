// check-node.mjs is imported first, so that no script runs on an older Node, or without its dependencies.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';

/** Exits with 1 if the program cannot be started. On Windows the program is a script, which needs a shell. */
export function run(program, args, options) {
  const result = spawnSync(program, args, {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (result.error === undefined) return result;
  console.error(`${program} cannot be started: ${result.error.message}.`);
  process.exit(1);
}

/** If the first argument is an option, prints how the command is called, and exits: no command here has options. */
export function explainOptions(usage) {
  const [option = ''] = process.argv.slice(2);
  if (!option.startsWith('-')) return;
  const isAsked = ['-h', '--help'].includes(option);
  console[isAsked ? 'info' : 'error'](`Usage: npx -y pnpm@12 ${usage}`);
  process.exit(isAsked ? 0 : 2);
}

/** Builds the workspaces that have changed. Exits with 1 if a build fails. */
export function build(...workspaces) {
  const filters = workspaces.map((workspace) => `--filter=${workspace}`);
  const turbo = ['run', 'build', '--output-logs=errors-only', ...filters];
  const stdio = ['ignore', 'pipe', 'inherit'];
  assertBuilt(run('turbo', turbo, { encoding: 'utf8', stdio }), workspaces.join(' or '));
}

/** Unless a build has ended well, prints what the build has printed, and exits with 1. */
export function assertBuilt({ status, stdout, stderr }, what) {
  if (status === 0) return;
  console.error(`${stdout}${stderr ?? ''}\n${what} could not be built: see above.`);
  process.exit(1);
}
