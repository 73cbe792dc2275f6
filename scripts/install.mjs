// Runs before every command of package.json, on whatever Node is there. Installs what `start`, `goty` and
// `package` run, the dependencies; with `all`, or if they are there already, the devDependencies, too: pnpm
// would take them away. If nothing has changed since, that takes a tenth of a second.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isAll = process.argv[2] === 'all' || existsSync('node_modules/turbo');
// CI has compared the age of what the lockfile names, a question to the registry for each, with the age that we ask for.
const args = ['install', ...(isAll ? [] : ['--prod', '--trust-lockfile'])];
// Whoever waits for the first one sees how far it is.
if (existsSync(isAll ? 'node_modules/turbo' : 'node_modules')) args.push('--loglevel=warn');
const { status } = spawnSync('pnpm', args, {
  shell: process.platform === 'win32',
  // What a command prints may be for a file.
  stdio: ['ignore', process.stderr.fd, 'inherit'],
});
process.exitCode = status ?? 1;
