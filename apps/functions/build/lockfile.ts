import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

const IMPORTER = 'apps/functions';

/** What matters here of https://github.com/pnpm/spec/blob/master/lockfile/9.0.md */
interface Lockfile {
  readonly lockfileVersion: string;
  readonly settings: object;
  readonly importers: Readonly<Record<string, { readonly dependencies?: Dependencies }>>;
  readonly packages: object;
  readonly snapshots: object;
}

type Dependencies = Readonly<Record<string, { readonly version: string }>>;

/**
 * Makes the files from which Google's build installs the packages that the tests ran with.
 *
 * @param names dependencies of this workspace
 */
export function pinPackages(names: readonly string[]) {
  const lock: Lockfile = readYaml('pnpm-lock.yaml');
  const { lockfileVersion, settings, packages, snapshots } = lock;
  const pinned = names.map((name) => {
    const version = lock.importers[IMPORTER]?.dependencies?.[name]?.version;
    if (version === undefined) throw new Error(`${name} is not in pnpm-lock.yaml`);
    // Behind it may be the peers that it was resolved with.
    return { name, specifier: version.replace(/\(.*$/, ''), version };
  });
  const dependencies = Object.fromEntries(pinned.map(({ name, ...versions }) => [name, versions]));
  const importer = { importers: { '.': { dependencies } } };
  return {
    /** For package.json: the exact version of each. */
    dependencies: Object.fromEntries(pinned.map(({ name, specifier }) => [name, specifier])),
    /** A pnpm-lock.yaml for these dependencies alone. It names other packages, too, which pnpm does not install. */
    lockfile: stringify({ lockfileVersion, settings, ...importer, packages, snapshots }),
    /** The settings of pnpm-workspace.yaml without which pnpm would not install them. */
    workspace: stringify({ allowBuilds: readYaml('pnpm-workspace.yaml').allowBuilds }),
  };
}

function readYaml(name: string) {
  return parse(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}
