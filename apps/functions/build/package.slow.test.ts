import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { Agent } from 'node:http';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test } from 'vitest';
import { COVER_POLICY } from '../src/http/security-headers.ts';
import { testFolder } from '../testing/folder.ts';
import { countBallots, readStandings, vote } from '../testing/process.ts';

const MAX_BYTES = 30_000_000;
/** `nobody`, as whom the server runs if the test may choose. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Writes the package, and copies it with Node to where nothing else is and nothing can be written. */
function installPackage() {
  const built = join(testFolder(), 'built');
  const script = join(import.meta.dirname, 'package.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, built], { encoding: 'utf8' });
  expect(status).toBe(0);

  const home = testFolder();
  chmodSync(home, 0o755);
  const folder = join(home, 'goty');
  cpSync(built, folder, { recursive: true });
  const node = join(home, basename(process.execPath));
  copyFileSync(process.execPath, node);
  const data = join(home, 'data');
  mkdirSync(data);
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  const paths = filesIn(folder);
  for (const path of [folder, ...paths]) chmodSync(path, isFolder(path) ? 0o555 : 0o444);
  // Otherwise they could not be removed.
  onTestFinished(() => {
    for (const path of [folder, ...paths].filter(isFolder)) chmodSync(path, 0o755);
  });

  const bytes = paths.reduce((sum, path) => sum + (isFolder(path) ? 0 : statSync(path).size), 0);
  return { folder, data, bytes, paths, stdout, run };

  function run(environment: Record<string, string>, script = 'server.js', ...args: string[]) {
    const path = join(folder, script);
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], {
      ...NOBODY,
      cwd: data,
      env: { PORT: '0', HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, lines: createInterface(child.stdout), exit: once(child, 'exit') };
  }
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(folder, name)).sort();
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

test('P13 the packaged server takes votes elsewhere, read-only, as another user', async () => {
  const { folder, data, paths, run } = installPackage();
  const DATABASE = join(data, 'goty.sqlite');
  const { child, lines, exit } = run({ DATABASE });
  const [line = ''] = await once(lines, 'line');
  const address = line.replace(/^.* GOTY is open at /, '');
  const port = Number(new URL(address).port);

  const page = await fetch(`${address}/goty`);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('/covers/blue-prince.svg');
  const [asset] = /\/assets\/[\w-]+\.js/.exec(html) ?? [];
  const script = await fetch(`${address}${asset}`);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect((await script.text()).length).toBeGreaterThan(0);
  const cover = await fetch(`${address}/covers/blue-prince.svg`);
  expect([cover.status, cover.headers.get('content-security-policy')]).toEqual([200, COVER_POLICY]);

  const list = await fetch(`${address}/api/goty`);
  expect(await list.json()).toContainEqual({
    id: 'hades-2',
    name: 'Hades II',
    url: '/covers/hades-2.svg',
  });
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  const missing = await fetch(`${address}/api/goty/none`, { method: 'POST' });
  expect([missing.status, await missing.json()]).toEqual([
    404,
    { ok: false, mensaje: apiTexts.unknownGame },
  ]);
  const agent = new Agent({ keepAlive: true });
  expect(await vote(port, 'a', agent)).toBe(200);
  expect(await vote(port, 'a', agent)).toBe(200);
  agent.destroy();
  expect(await readStandings(port)).toMatchObject({ 'hades-2': 1, 'split-fiction': 0 });

  const results = run({ DATABASE }, 'goty.js', 'results', '--csv');
  expect(await text(results.child.stdout)).toContain('\n1,hades-2,Hades II,1,100');
  expect(await results.exit).toEqual([0, null]);
  const backup = run({ DATABASE }, 'goty.js', 'backup', 'backup.sqlite');
  expect(await backup.exit).toEqual([0, null]);
  expect(countBallots(join(data, 'backup.sqlite'))).toEqual({ ballots: 1 });

  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(countBallots(DATABASE)).toEqual({ ballots: 1 });
  expect(filesIn(folder)).toEqual(paths);
});

test('P3 P13 a database in the read-only package is refused in one line', async () => {
  const { folder, run } = installPackage();
  const { child, exit } = run({});
  const stderr = await text(child.stderr);
  expect(await exit).toEqual([1, null]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(join(folder, '.data'));
});

test('P13 the packaged commands refuse a Firebase project in one line', async () => {
  const { run } = installPackage();
  const { child, exit } = run({}, 'goty.js', 'results', '--project', 'my-project');
  expect(await text(child.stderr)).toMatch(/^The package has no Firebase: .*\n$/);
  expect(await exit).toEqual([1, null]);
});

test('P13 the package has at most 30 MB, nothing to install, and nothing of Firebase', () => {
  const { folder, bytes, stdout } = installPackage();
  console.info(stdout.trim());
  expect(bytes).toBeLessThan(MAX_BYTES);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const licenses = readFileSync(join(folder, 'LICENSES.md'), 'utf8');
  expect(licenses).toContain('## express - ');
  expect(licenses).not.toMatch(/## @?(firebase|google)/);
  for (const file of globSync('*.js', { cwd: folder })) {
    const code = readFileSync(join(folder, file), 'utf8');
    const imported = [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
    expect(imported.filter((name) => !/^(node:|\.\/)/.test(name ?? ''))).toEqual([]);
  }
});
