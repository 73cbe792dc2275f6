// Each command installs what it needs, in a copy of the project as a fresh clone is.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
/** The commands that need no devDependencies. */
const WITHOUT_TOOLS = ['demo', 'start', 'goty', 'package'];

test('P20 every command first installs what it runs, or everything', () => {
  const hooks = Object.keys(scripts).filter((name) => /^pre/.test(name) && scripts[name.slice(3)]);
  // Other commands call those with a colon, and firebase-tools, a devDependency, calls predeploy.
  const commands = Object.keys(scripts).filter((name) => !/:|^predeploy$/.test(name));
  for (const name of commands.filter((name) => !hooks.includes(name))) {
    const what = WITHOUT_TOOLS.includes(name) ? '' : ' all';
    expect([name, scripts[`pre${name}`]]).toEqual([name, `node scripts/install.mjs${what}`]);
  }
});

/** A pnpm that begins, ends once it may, and writes both down. Whether all is installed, a file says. */
const FAKE_PNPM = `#!/usr/bin/env node
const { appendFileSync, existsSync } = require('node:fs');
if (process.argv.includes('exec')) process.exit(existsSync('installed') ? 0 : 1);
appendFileSync('log', 'begin ');
setInterval(() => {
  if (!existsSync('go')) return;
  appendFileSync('log', 'end ');
  process.exit();
}, 20);`;

/** A clone, and what runs `install.mjs` in it as on that platform. */
function fakeClone(platform: NodeJS.Platform = process.platform) {
  const folder = testFolder();
  for (const name of ['apps', 'packages', 'scripts', 'node_modules/half']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  cpSync(join(ROOT, 'scripts/install.mjs'), join(folder, 'scripts/install.mjs'));
  writeFileSync(join(folder, 'pnpm'), FAKE_PNPM, { mode: 0o755 });
  const code = `Object.defineProperty(process, 'platform', { value: '${platform}' })`;
  const install = (PATH = `${folder}:${process.env.PATH}`) =>
    spawn(process.execPath, ['--import', `data:text/javascript,${code}`, 'scripts/install.mjs'], {
      cwd: folder,
      env: { PATH, npm_lifecycle_event: 'prestart' },
    });
  const log = () => existsSync(join(folder, 'log')) && readFileSync(join(folder, 'log'), 'utf8');
  return { folder, install, log };
}

/** A clone on macOS, where that server has the port of the lock. A port that a third program has leads to another clone. */
async function fakeCloneBeside(other: Server) {
  onTestFinished(() => void other.close());
  while (true) {
    const clone = fakeClone('darwin');
    const hash = createHash('sha256').update(join(clone.folder, 'scripts')).digest();
    other.listen(20_000 + (hash.readUInt16BE() % 10_000), '127.0.0.1');
    const isListening = await once(other, 'listening').catch(() => false);
    if (isListening) return clone;
  }
}

test.skipIf(process.platform === 'win32').each([
  ['answers', (socket: Socket) => socket.on('error', () => {}).end('220 hello')],
  ['says nothing', (socket: Socket) => socket.on('error', () => {})],
])(
  'P20 on macOS, a program at the port of the lock that %s holds nothing up',
  async (_, answer) => {
    const { folder, install, log } = await fakeCloneBeside(createServer(answer));
    const first = install();
    await expect.poll(log).toBe('begin ');
    const second = install();
    const [said] = await once(second.stderr, 'data');
    expect(String(said)).toBe('Another command is installing GOTY: this one waits for it.\n');
    expect(log()).toBe('begin ');
    writeFileSync(join(folder, 'go'), '');
    expect(await Promise.all([once(first, 'exit'), once(second, 'exit')])).toEqual([
      [0, null],
      [0, null],
    ]);
  },
);

test.skipIf(process.platform === 'win32')(
  'P20 if nothing is to be installed, nothing is written, and what cannot be written is one line',
  async () => {
    const { folder, install, log } = fakeClone();
    writeFileSync(join(folder, 'installed'), '');
    expect(await once(install(), 'exit')).toEqual([0, null]);
    expect([log(), existsSync(join(folder, '.artifacts'))]).toEqual([false, false]);
    rmSync(join(folder, 'installed'));
    // As in another user's clone, also for root.
    writeFileSync(join(folder, '.artifacts'), '');
    const refused = install();
    const said = text(refused.stderr);
    expect(await once(refused, 'exit')).toEqual([1, null]);
    expect(await said).toMatch(
      /^GOTY cannot be installed here \(.*\): run the command as the user to whom .* belongs\.\n$/,
    );
  },
);

test.skipIf(process.platform === 'win32')(
  'P20 of two at once one waits, also for what a killed one has begun, and does that anew',
  async () => {
    const { folder, install, log } = fakeClone();
    const first = install();
    await expect.poll(log).toBe('begin ');
    const second = install();
    const [said] = await once(second.stderr, 'data');
    expect(String(said)).toBe('Another command is installing GOTY: this one waits for it.\n');
    first.kill('SIGKILL');
    await once(first, 'exit');
    // pnpm goes on, and nobody takes away what it writes.
    expect([log(), existsSync(join(folder, 'node_modules/half'))]).toEqual(['begin ', true]);
    writeFileSync(join(folder, 'go'), '');
    expect(await once(second, 'exit')).toEqual([0, null]);
    expect([log(), existsSync(join(folder, 'node_modules/half'))]).toEqual([
      'begin end begin end ',
      false,
    ]);

    const third = install('/nowhere');
    const refused = text(third.stderr);
    expect(await once(third, 'exit')).toEqual([1, null]);
    expect(await refused).toMatch(/^pnpm cannot be started .*: run `npx -y pnpm@12 start`\.\n$/);
  },
);

const clone = mkdtempSync(join(tmpdir(), 'goty-'));
afterAll(() => rmSync(clone, { recursive: true }));

test.skipIf(process.platform === 'win32')(
  'P20 start installs at most 350 packages, other commands the rest, and start leaves them there',
  async () => {
    cpSync(ROOT, clone, {
      recursive: true,
      filter: (path) =>
        path === ROOT ||
        !/^(node_modules|dist|\..+)$/.test(basename(path)) ||
        /\.pnpmfile/.test(path),
    });
    const packages = () =>
      readdirSync(join(clone, 'node_modules/.pnpm')).filter((name) => name.includes('@')).length;
    const page = () => statSync(join(clone, 'apps/web/dist/goty.html')).mtimeMs;

    await startIn(clone);
    expect(packages()).toBeLessThanOrEqual(350);
    pnpmIn(clone, 'goty', 'audit');
    pnpmIn(clone, 'run', 'package');
    expect(existsSync(join(clone, 'node_modules/turbo'))).toBe(false);
    const built = page();

    pnpmIn(clone, 'build', '--dry');
    const all = packages();
    expect(all).toBeGreaterThan(700);
    await startIn(clone);
    expect([packages(), page()]).toEqual([all, built]);
    expect(existsSync(join(clone, 'node_modules/turbo'))).toBe(true);

    expect(isBuildCurrentIn(clone)).toBe('true\n');
    rmSync(join(clone, 'covers/hades-2.svg'));
    expect(isBuildCurrentIn(clone)).toBe('false\n');
  },
);

const options = (cwd: string) => ({
  cwd,
  env: {
    ...process.env,
    // The Node of a fresh machine, until the copy has its own.
    PATH: process.env.PATH?.replaceAll(`${ROOT}/node_modules/.bin:`, ''),
    HOST: '127.0.0.1',
    PORT: '0',
    // Where the packages of this installation came from.
    pnpm_config_store_dir: spawnSync('pnpm', ['store', 'path'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).stdout.trim(),
    pnpm_config_prefer_offline: 'true',
  },
});

function pnpmIn(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('pnpm', args, {
    ...options(folder),
    encoding: 'utf8',
  });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
}

/** Whether a start in that clone takes the page as it was built last. */
function isBuildCurrentIn(folder: string): string {
  const code = `import { isBuildCurrent } from './apps/web/build/sources.ts'; console.log(isBuildCurrent())`;
  const args = ['--input-type=module', '--eval', code];
  return spawnSync(process.execPath, args, { ...options(folder), encoding: 'utf8' }).stdout;
}

/** Runs `pnpm start` until the page has come. */
async function startIn(folder: string) {
  const server = spawn('pnpm', ['start'], {
    ...options(folder),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(server, 'close');
  try {
    for await (const line of createInterface(server.stdout)) {
      const [, address] = /GOTY runs at (\S+)/.exec(line) ?? [];
      if (!address) continue;
      expect(await (await fetch(`${address}/goty`)).text()).toContain('<h1');
      return;
    }
    throw new Error('pnpm start has ended');
  } finally {
    if (server.pid) process.kill(-server.pid, 'SIGTERM');
    await closed;
  }
}
