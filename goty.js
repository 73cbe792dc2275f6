// `node goty.js COMMAND`: a command of the operator, here as in the packaged server. `npx -y pnpm@12 goty COMMAND` runs this file,
// too, after it has installed what is missing; npm and pnpm take most of its time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const { arch, platform, versions } = process;
const system = platform === 'win32' ? 'win' : platform;
const program = platform === 'win32' ? 'node.exe' : 'node';
/** The Node that comes with the dependencies, for a machine whose own is older. */
const ownNode = pathOf(`node_modules/node-${system}-${arch}/bin/${program}`);
const isOld = Number(versions.node.split('.')[0]) < 24;

if (isOld && existsSync(ownNode)) await runWith(ownNode);
else await runHere();

async function runHere() {
  await import('./scripts/check-node.mjs');
  // Compiling GOTY anew would take more than half of the time of a command.
  module.enableCompileCache(pathOf('node_modules/.cache/goty'));
  await import('./apps/functions/cli/goty.ts');
}

async function runWith(node) {
  const child = spawn(node, [pathOf('goty.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both, and the command decides what that ends.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  try {
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } catch {
    // This machine cannot run it. What has to be installed, the check of Node says.
    await runHere();
  }
}

function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
