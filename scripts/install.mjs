// Runs before every command of package.json, on whatever Node is there. Installs the `dependencies`, which `start`, `goty` and
// `package` need. Installs the `devDependencies`, too, with the argument `all`, or if they are there already, because pnpm would
// take them away. If nothing has changed since the last installation, this takes a tenth of a second.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A file that exists while pnpm installs, and after pnpm was interrupted. It says what was to be installed: 'all' or 'prod'. */
const UNFINISHED = '.artifacts/install';
/** How soon an installation answers at the port that is its lock. */
const LOCK_ANSWER_MS = 1_000;
const LONGEST_INSTALL_MS = 600_000;
const isWindows = process.platform === 'win32';

if (isInstalled()) process.exit();
const lock = await takeLock();
const unfinished = existsSync(UNFINISHED) ? readFileSync(UNFINISHED, 'utf8') : '';
// pnpm would take for complete what an interrupted installation has left, so all of that is removed.
if (unfinished !== '') {
  const workspaces = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(parent).map((name) => `${parent}/${name}/`),
  );
  for (const workspace of ['', ...workspaces]) {
    rmSync(`${workspace}node_modules`, { force: true, recursive: true });
  }
}
const isAll = process.argv[2] === 'all' || unfinished === 'all' || existsSync('node_modules/turbo');
// Without `--trust-lockfile`, pnpm would ask the registry for the age of each package (minimumReleaseAge), as CI has done.
const args = ['install', ...(isAll ? [] : ['--prod', '--trust-lockfile'])];
// Only the first installation shows how far it is, because it takes long.
if (existsSync(isAll ? 'node_modules/turbo' : 'node_modules')) args.push('--loglevel=warn');
try {
  mkdirSync('.artifacts', { recursive: true });
  writeFileSync(UNFINISHED, isAll ? 'all' : 'prod');
} catch ({ message }) {
  console.error(
    `GOTY cannot be installed here (${message}): run the command as the user to whom ${process.cwd()} belongs.`,
  );
  process.exit(1);
}
const pnpm = spawn('pnpm', args, {
  shell: isWindows,
  // What the command prints to stdout may go to a file. pnpm gets the lock, too, and keeps it even if this process is killed.
  stdio: ['ignore', process.stderr.fd, 'inherit', ...(isWindows ? [] : [lock._handle.fd])],
});
const [status] = await once(pnpm, 'exit').catch(({ message }) => {
  const [, command = 'COMMAND'] = /^pre(.+)/.exec(process.env.npm_lifecycle_event ?? '') ?? [];
  console.error(`pnpm cannot be started (${message}): run \`npx -y pnpm@12 ${command}\`.`);
  return [1];
});
// If pnpm was killed, its status is null, and the installation is unfinished, so the file that says so stays.
if (status !== null) rmSync(UNFINISHED);
process.exit(status ?? 1);

/** Whether pnpm would change nothing. To find out, nothing is written, because this may be another user's clone. */
function isInstalled() {
  const folder = process.argv[2] === 'all' ? 'node_modules/turbo' : 'node_modules';
  if (existsSync(UNFINISHED) || !existsSync(folder)) return false;
  const check = ['--config.verify-deps-before-run=error', 'exec', 'node', '--version'];
  return spawnSync('pnpm', check, { shell: isWindows, stdio: 'ignore' }).status === 0;
}

/** Returns a server at an address that only one process can have. The system releases this lock however its holder ends. */
async function takeLock() {
  const hash = createHash('sha256')
    .update(import.meta.dirname)
    .digest();
  const name = `goty-${hash.toString('hex', 0, 8)}`;
  const paths = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` };
  const path = paths[process.platform];
  const address = { port: 20_000 + (hash.readUInt16BE() % 10_000), host: '127.0.0.1' };
  let hasSaid = false;
  while (true) {
    const server = createServer((socket) => socket.on('error', () => {}).end(name));
    server.listen(path === undefined ? address : { path });
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
    if (path === undefined && !(await isLock(address, name))) {
      address.port += 1;
      continue;
    }
    if (!hasSaid) console.error('Another command is installing GOTY: this one waits for it.');
    hasSaid = true;
    await setTimeout(200);
  }
}

/**
 * Whether an installation has this port, and not another program. If the script that has started pnpm was killed, pnpm has the
 * lock, and never answers. So without an answer, an unfinished installation is taken for the holder, for ten minutes.
 */
async function isLock(address, name) {
  const socket = connect(address);
  const silence = AbortSignal.timeout(LOCK_ANSWER_MS);
  try {
    const [answer] = await once(socket, 'data', { signal: silence });
    return String(answer) === name;
  } catch ({ code }) {
    // The holder has just released the lock, so the next attempt can take it at this port.
    if (code === 'ECONNREFUSED') return true;
    return silence.aborted && performance.now() < LONGEST_INSTALL_MS && existsSync(UNFINISHED);
  } finally {
    socket.destroy();
  }
}
