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
  /** By name and version. */
  readonly packages: Readonly<Record<string, object | undefined>>;
  /** By name, version and the peers that it was resolved with. */
  readonly snapshots: Readonly<Record<string, Snapshot>>;
}

type Dependencies = Readonly<Record<string, { readonly version: string }>>;

interface Snapshot {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Makes the files from which Google's build installs the packages that the tests ran with.
 *
 * @param names dependencies of this workspace
 */
export function pinPackages(names: readonly string[]) {
  const { lockfileVersion, settings, importers, ...lock }: Lockfile = readYaml('pnpm-lock.yaml');
  const packages: Record<string, object | undefined> = {};
  const snapshots: Record<string, Snapshot> = {};
  const pinned = names.map((name) => {
    const version = importers[IMPORTER]?.dependencies?.[name]?.version;
    if (version === undefined) throw new Error(`${name} is not in pnpm-lock.yaml`);
    collect(`${name}@${version}`);
    return { name, specifier: withoutPeers(version), version };
  });
  const dependencies = Object.fromEntries(pinned.map(({ name, ...versions }) => [name, versions]));
  const importer = { importers: { '.': { dependencies } } };
  return {
    /** For package.json: the exact version of each. */
    dependencies: Object.fromEntries(pinned.map(({ name, specifier }) => [name, specifier])),
    /** The part of pnpm-lock.yaml that belongs to them. */
    lockfile: stringify({ lockfileVersion, settings, ...importer, packages, snapshots }),
    /** The settings of pnpm-workspace.yaml without which pnpm would not install them. */
    workspace: stringify({ allowBuilds: readYaml('pnpm-workspace.yaml').allowBuilds }),
  };

  function collect(key: string) {
    if (key in snapshots) return;
    const snapshot = lock.snapshots[key];
    if (snapshot === undefined) throw new Error(`${key} is not in pnpm-lock.yaml`);
    snapshots[key] = snapshot;
    packages[withoutPeers(key)] = lock.packages[withoutPeers(key)];
    const needed = { ...snapshot.dependencies, ...snapshot.optionalDependencies };
    for (const [name, version] of Object.entries(needed)) collect(`${name}@${version}`);
  }
}

function withoutPeers(version: string): string {
  return version.replace(/\(.*$/, '');
}

function readYaml(name: string) {
  return parse(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}
