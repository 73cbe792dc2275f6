// `pnpm run deploy --project ID`: builds for that Firebase project, and deploys rules, Function and page.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import './check-node.mjs';
import { build } from './build.mjs';

const args = process.argv.slice(2);
const project = args[args.indexOf('--project') + 1];
if (!args.includes('--project') || !project || project.startsWith('demo-')) {
  console.error('Usage: npx pnpm@12 run deploy --project ID [other options of `firebase deploy`]');
  process.exit(1);
}

// Previews of shared pages show an image only from a whole address.
process.env.VITE_ORIGIN ??= `https://${project}.web.app`;
// Nothing of an earlier deploy, to another project perhaps.
rmSync('apps/functions/dist', { force: true, recursive: true });
build('@goty/web', '@goty/functions');

const { writeLockfile } = await import('../apps/functions/build/lockfile.ts');
writeLockfile('apps/functions/dist');

const { status } = spawnSync('firebase', ['deploy', ...args], {
  shell: process.platform === 'win32',
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
