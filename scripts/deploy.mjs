// `pnpm run deploy --project ID`: builds for a Firebase project, then deploys rules, Function and
// page to it.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import './check-node.mjs';
import { build } from './build.mjs';

const args = process.argv.slice(2);
const { project } = parseArgs({
  args,
  options: { project: { type: 'string', short: 'P' } },
  strict: false,
}).values;
if (typeof project !== 'string' || !/^[a-z]/.test(project)) {
  console.error('Usage: npx pnpm@12 run deploy --project ID [other options of `firebase deploy`]');
  process.exit(1);
}
if (project.startsWith('demo-')) {
  console.error(`${project} cannot be a Firebase project: ids with demo- are for the emulators.`);
  process.exit(1);
}

// Link previews need absolute image URLs.
process.env.VITE_ORIGIN ??= `https://${project}.web.app`;
build('@goty/web', '@goty/functions');

const { writeLockfile } = await import('../apps/functions/build/lockfile.ts');
writeLockfile('apps/functions/dist');

const { status } = spawnSync('firebase', ['deploy', ...args], {
  shell: process.platform === 'win32',
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
