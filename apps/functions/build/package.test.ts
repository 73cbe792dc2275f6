import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { checkVoteFile } from '../cli/vote-file.ts';
import { COVER_POLICY } from '../src/http/security-headers.ts';
import { countBallots, run, start, vote } from '../testing/process.ts';

const MAX_BYTES = 30_000_000;
/** `nobody`, as whom the server runs if the test may choose. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Where the package is, with a copy of Node and a folder for data beside it. */
let home: string;
let folder: string;
let data: string;

/** Writes the package, and moves it to where nothing else is and nothing can be written. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'goty-'));
  chmodSync(home, 0o755);
  const built = join(home, 'built');
  const script = join(import.meta.dirname, 'package.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, built], { encoding: 'utf8' });
  expect(status).toBe(0);
  console.info(stdout.trim());

  folder = join(home, 'goty');
  cpSync(built, folder, { recursive: true });
  rmSync(built, { recursive: true });
  copyFileSync(process.execPath, join(home, basename(process.execPath)));
  data = join(home, 'data');
  mkdirSync(data);
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  const paths = [folder, ...filesIn(folder)];
  for (const path of paths) chmodSync(path, isFolder(path) ? 0o555 : 0o444);
  return () => {
    // Otherwise they could not be removed.
    for (const path of paths.filter(isFolder)) chmodSync(path, 0o755);
    rmSync(home, { recursive: true });
  };
});

const asNobody = () => ({ ...NOBODY, node: join(home, basename(process.execPath)), cwd: data });
const ALONE = { PATH: '', HOST: '127.0.0.1' };

function runAsNobody(environment: Record<string, string>, script: string, ...args: string[]) {
  return run({ ...ALONE, ...environment }, [join(folder, script), ...args], asNobody());
}

function filesIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(path, name)).sort();
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

test('P13 the packaged server takes votes elsewhere, read-only, as another user', async () => {
  const paths = filesIn(folder);
  const DATABASE = join(data, 'goty.sqlite');
  const server = await start({ ...ALONE, DATABASE }, [join(folder, 'server.js')], asNobody());
  const { address, port, stop } = server;

  const html = await (await fetch(`${address}/goty`)).text();
  expect(html).toMatch(/<link rel="preload" as="image" href="\/covers\/[\w-]+\.svg"/);
  const [asset] = /\/assets\/[\w-]+\.js/.exec(html) ?? [];
  const script = await fetch(`${address}${asset}`);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect((await script.text()).length).toBeGreaterThan(0);
  const cover = await fetch(`${address}/covers/blue-prince.svg`);
  expect([cover.status, cover.headers.get('content-security-policy')]).toEqual([200, COVER_POLICY]);

  const list = await fetch(`${address}/api/goty`);
  const hades = { id: 'hades-2', name: 'Hades II', url: '/covers/hades-2.svg' };
  expect(await list.json()).toContainEqual(hades);
  expect(await vote(port, 'a')).toBe(200);

  const results = runAsNobody({ DATABASE }, 'goty.js', 'results', '--csv');
  expect(await text(results.stdout)).toContain('\n1;hades-2;Hades II;1;100');
  expect(await results.exit).toEqual([0, null]);
  const saving = runAsNobody({ DATABASE }, 'goty.js', 'export', 'vote.ndjson');
  expect(await saving.exit).toEqual([0, null]);
  expect(await checkVoteFile(join(data, 'vote.ndjson'))).toMatchObject({ ballots: 1 });

  await stop();
  expect(countBallots(DATABASE)).toEqual({ ballots: 1 });
  expect(filesIn(folder)).toEqual(paths);
});

test('P2 P13 server and commands of the package read the .env that is beside them', async () => {
  const own = join(home, 'own');
  cpSync(folder, own, { recursive: true });
  chmodSync(own, 0o755);
  writeFileSync(join(own, '.env'), 'DATABASE=votes.sqlite\nVOTE_POLICY=one-per-visitor\n');
  const unset = { DATABASE: undefined, VOTE_POLICY: undefined };
  const server = await start(unset, [join(own, 'server.js')], { cwd: data });
  const answer = await fetch(`${server.address}/api/goty/hades-2`, { method: 'POST' });
  expect(answer.headers.get('set-cookie')).toMatch(/^goty-visitor=/);
  const { exit, stderr } = run(unset, [join(own, 'goty.js'), 'results'], { cwd: data });
  expect([await stderr, await exit]).toEqual([`Vote: ${join(own, 'votes.sqlite')}.\n`, [0, null]]);
  await server.stop();
  expect(countBallots(join(own, 'votes.sqlite'))).toEqual({ ballots: 1 });
});

test('P13 `npm pack` makes what npx runs: the server, or a command, on the votes of the folder where it is called', async () => {
  const npm = (...args: string[]) => {
    const { status, stdout } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout.trim();
  };
  const tarball = npm('pack', folder);
  npm('install', '--global', '--offline', `--prefix=${join(home, 'npx')}`, join(home, tarball));
  const bin = join(home, 'npx/bin/goty');
  // BusyBox's `env`, as Alpine has it, takes no options.
  expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  const unset = { ...ALONE, DATABASE: undefined };
  const early = run(unset, [bin, 'audit'], asNobody());
  expect(await early.stderr).toContain(join(data, '.data/goty.sqlite'));
  expect(await early.exit).toEqual([1, null]);
  writeFileSync(join(data, '.env'), 'DATABASE=votes/goty.sqlite\n');
  const server = await start(unset, [bin], asNobody());
  expect(await vote(server.port, 'a')).toBe(200);
  for (const args of [['audit'], ['goty', 'audit']]) {
    const { exit, stdout } = run(unset, [bin, ...args], asNobody());
    expect(await text(stdout)).toBe('Recounted 1 ballot: every sum is right.\n');
    expect(await exit).toEqual([0, null]);
  }
  await server.stop();
  expect(countBallots(join(data, 'votes/goty.sqlite'))).toEqual({ ballots: 1 });
});

const IN_CLOUD = ['results', '--project', 'my-project'];

test.each([
  ['P3 P13', 'a database in the read-only package', /\/goty\/\.data/, 'server.js', []],
  ['P13', 'a Firebase project', /^The package has no Firebase: /, 'goty.js', IN_CLOUD],
])('%s %s is refused in one line', async (_ids, _what, reason, script, args) => {
  const { exit, stderr } = runAsNobody({}, script, ...args);
  expect(await exit).toEqual([1, null]);
  expect(await stderr).toMatch(reason);
  expect(await stderr).toMatch(/^[^\n]*\n$/);
});

test('P13 the package has at most 30 MB, nothing to install, and nothing of Firebase', () => {
  const sizes = filesIn(folder).map((path) => (isFolder(path) ? 0 : statSync(path).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
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
