import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declaredParams } from 'firebase-functions/params';
import { build } from 'vite';
import { parse, stringify } from 'yaml';
import { readParameters } from '../src/operator/config.ts';
import { readVariables } from '../src/operator/env-file.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

// `pnpm build`: writes the folder that firebase.json names as the Function's source. `firebase deploy` does not support
// workspaces, so their code is bundled. Google's build installs the npm packages from a lockfile with the tested versions.

/** Google's build would otherwise add an old major version of the framework, with which our tests do not run. */
const FRAMEWORK = '@google-cloud/functions-framework';

/** Google's build would pick a version itself; pnpm 12 failed: https://github.com/GoogleCloudPlatform/buildpacks/issues/687 */
const PACKAGE_MANAGER = 'pnpm@11.28.10';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'dist');

const bundle = await build({
  root,
  logLevel: 'warn',
  build: {
    ssr: 'src/index.ts',
    target: 'node24',
    // The emulator of Functions notices files that change, but not files that were removed and come back.
    emptyOutDir: false,
    rolldownOptions: { output: { chunkFileNames: '[name].js' } },
  },
  ssr: { noExternal: [/^@goty\//] },
});
if (!('output' in bundle)) throw new Error('the build is in watch mode');
const imports = bundle.output.flatMap((file) =>
  file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : [],
);
const ownManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const needed = Object.keys(ownManifest.dependencies).filter((name) =>
  imports.some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
);
const { dependencies, lockfile, workspace } = pinPackages([...needed, FRAMEWORK]);
const manifest = {
  name: 'goty-function',
  private: true,
  type: 'module',
  main: 'index.js',
  engines: { node: '24' },
  packageManager: PACKAGE_MANAGER,
  dependencies,
};
const files = new Map([
  ['package.json', JSON.stringify(manifest, undefined, 2)],
  ['pnpm-lock.yaml', lockfile],
  ['pnpm-workspace.yaml', workspace],
]);

// `firebase deploy` prompts for each parameter that no .env file sets, even if it has a default, so all defaults go into `.env`.
await import(pathToFileURL(join(folder, 'index.js')).href);
const defaults = declaredParams.map(
  ({ name, options }) => `${name}=${'default' in options ? options.default : ''}`,
);
files.set('.env', `${defaults.join('\n')}\n`);
// The file of a project (.env.ID) overrides these defaults, so a fault in it must not reach a deploy.
for (const file of readdirSync(root).filter((name) => name.startsWith('.env.'))) {
  const parameters = declaredParams.map(({ name }) => name);
  try {
    const { variables: values, notes } = readVariables(join(root, file));
    for (const note of notes) console.warn(note);
    const unknown = Object.keys(values).find((name) => !parameters.includes(name));
    if (unknown) throw new OperatorError(`${unknown} is not a parameter of the Function.`);
    readParameters(values);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(`apps/functions/${file}: ${error.message}`);
    process.exit(1);
  }
  files.set(file, readFileSync(join(root, file), 'utf8'));
}

const bundled = new Set(bundle.output.map(({ fileName }) => fileName));
for (const name of readdirSync(folder)) {
  if (!files.has(name) && !bundled.has(name)) rmSync(join(folder, name), { recursive: true });
}
// Only files that differ are written, because each one makes a running emulator wait a second more.
for (const [name, text] of files) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** The part of a lockfile that matters here: https://github.com/pnpm/spec/blob/master/lockfile/9.0.md */
interface Lockfile {
  readonly lockfileVersion: string;
  readonly settings: object;
  readonly importers: Readonly<Record<string, { readonly dependencies?: Dependencies }>>;
  readonly packages: object;
  readonly snapshots: object;
}

type Dependencies = Readonly<Record<string, { readonly version: string }>>;

function pinPackages(names: readonly string[]) {
  const lock: Lockfile = readYaml('pnpm-lock.yaml');
  const { lockfileVersion, settings, packages, snapshots } = lock;
  const pinned = names.map((name) => {
    const version = lock.importers['apps/functions']?.dependencies?.[name]?.version;
    if (version === undefined) throw new Error(`${name} is not in pnpm-lock.yaml`);
    // In the lockfile, a version may be followed by the package's peers, in parentheses. package.json takes the version alone.
    return { name, specifier: version.replace(/\(.*$/, ''), version };
  });
  const dependencies = Object.fromEntries(pinned.map(({ name, ...versions }) => [name, versions]));
  const importer = { importers: { '.': { dependencies } } };
  return {
    dependencies: Object.fromEntries(pinned.map(({ name, specifier }) => [name, specifier])),
    /** A pnpm-lock.yaml for these dependencies alone. The file still describes other packages, which pnpm does not install. */
    lockfile: stringify({ lockfileVersion, settings, ...importer, packages, snapshots }),
    /** The settings of pnpm-workspace.yaml without which pnpm would not install these dependencies. */
    workspace: stringify({ allowBuilds: readYaml('pnpm-workspace.yaml').allowBuilds }),
  };
}

function readYaml(name: string) {
  return parse(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}
