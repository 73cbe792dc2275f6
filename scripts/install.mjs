// Runs before every command of package.json, on whatever Node is there. Installs what `start`, `goty` and
// `package` run, the dependencies; with `all`, or if they are there already, the devDependencies, too: pnpm
// would take them away. If nothing has changed since, that takes a tenth of a second.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Is there while pnpm installs, and after it was interrupted, with what it was to install. */
const UNFINISHED = '.artifacts/install';
const isWindows = process.platform === 'win32';

const lock = await takeLock();
const unfinished = existsSync(UNFINISHED) ? readFileSync(UNFINISHED, 'utf8') : '';
// pnpm takes for complete what an interrupted one has left.
if (unfinished !== '') {
  const workspaces = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(parent).map((name) => `${parent}/${name}/`),
  );
  for (const workspace of ['', ...workspaces]) {
    rmSync(`${workspace}node_modules`, { force: true, recursive: true });
  }
}
const isAll = process.argv[2] === 'all' || unfinished === 'all' || existsSync('node_modules/turbo');
// `--trust-lockfile`: pnpm would ask the registry for the age of each package (minimumReleaseAge), as it has done in CI.
const args = ['install', ...(isAll ? [] : ['--prod', '--trust-lockfile'])];
// Whoever waits for the first one sees how far it is.
if (existsSync(isAll ? 'node_modules/turbo' : 'node_modules')) args.push('--loglevel=warn');
mkdirSync('.artifacts', { recursive: true });
writeFileSync(UNFINISHED, isAll ? 'all' : 'prod');
const pnpm = spawn('pnpm', args, {
  shell: isWindows,
  // What a command prints may be for a file. pnpm keeps the lock, even if this process is killed.
  stdio: ['ignore', process.stderr.fd, 'inherit', ...(isWindows ? [] : [lock._handle.fd])],
});
const [status] = await once(pnpm, 'exit').catch(({ message }) => {
  const [, command = 'COMMAND'] = /^pre(.+)/.exec(process.env.npm_lifecycle_event ?? '') ?? [];
  console.error(`pnpm cannot be started (${message}): run \`npx -y pnpm@12 ${command}\`.`);
  return [1];
});
// A status of null: pnpm was killed.
if (status !== null) rmSync(UNFINISHED);
process.exit(status ?? 1);

/** Waits until no other process installs here. The system gives the lock back, however its holder ends. */
async function takeLock() {
  const hash = createHash('sha256')
    .update(import.meta.dirname)
    .digest();
  const name = `goty-${hash.toString('hex', 0, 8)}`;
  const paths = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` };
  const path = paths[process.platform];
  const port = 20_000 + (hash.readUInt16BE() % 10_000);
  for (let isFirst = true; ; isFirst = false) {
    const server = createServer();
    server.listen(path === undefined ? { port, host: '127.0.0.1' } : { path });
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      if (isFirst) console.error('Another command is installing GOTY: this one waits for it.');
      await setTimeout(200);
    }
  }
}
