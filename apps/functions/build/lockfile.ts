import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

const IMPORTER = 'apps/functions';

/** What matters here of https://github.com/pnpm/spec/blob/master/lockfile/9.0.md */
interface Lockfile {
  readonly lockfileVersion: string;
  readonly settings: object;
  readonly importers: Readonly<Record<string, Importer>>;
  /** By name and version. */
  readonly packages: Readonly<Record<string, object>>;
  /** By name, version and the peers that it was resolved with. */
  readonly snapshots: Readonly<Record<string, Snapshot>>;
}

interface Importer {
  readonly dependencies?: Readonly<Record<string, { readonly version: string }>>;
}

interface Snapshot {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The files from which Google's build installs the packages that the tests ran with. */
export interface FunctionPackages {
  /** For package.json: the exact version of each. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The part of pnpm-lock.yaml that belongs to them. */
  readonly lockfile: string;
  /** The settings of pnpm-workspace.yaml without which pnpm would not install them. */
  readonly workspace: string;
}

/** @param names dependencies of this workspace */
export function pinPackages(names: readonly string[]): FunctionPackages {
  const lock: Lockfile = readYaml('pnpm-lock.yaml');
  const locked = lock.importers[IMPORTER]?.dependencies ?? {};
  const direct = names.map((name): [name: string, version: string] => {
    const version = locked[name]?.version;
    if (version === undefined) throw new Error(`${name} is not in pnpm-lock.yaml`);
    return [name, version];
  });
  const snapshots: Record<string, Snapshot> = {};
  collect(Object.fromEntries(direct));
  const packages = Object.keys(snapshots).map((key) => [
    withoutPeers(key),
    lock.packages[withoutPeers(key)],
  ]);
  const dependencies = direct.map(([name, version]) => [
    name,
    { specifier: withoutPeers(version), version },
  ]);
  return {
    dependencies: Object.fromEntries(
      direct.map(([name, version]) => [name, withoutPeers(version)]),
    ),
    lockfile: stringify({
      lockfileVersion: lock.lockfileVersion,
      settings: lock.settings,
      importers: { '.': { dependencies: Object.fromEntries(dependencies) } },
      packages: Object.fromEntries(packages),
      snapshots,
    }),
    workspace: stringify({ allowBuilds: readYaml('pnpm-workspace.yaml').allowBuilds }),
  };

  function collect(versions: Readonly<Record<string, string>>) {
    for (const [name, version] of Object.entries(versions)) {
      const key = `${name}@${version}`;
      if (key in snapshots) continue;
      const snapshot = lock.snapshots[key];
      if (snapshot === undefined) throw new Error(`${key} is not in pnpm-lock.yaml`);
      snapshots[key] = snapshot;
      collect({ ...snapshot.dependencies, ...snapshot.optionalDependencies });
    }
  }
}

function withoutPeers(version: string): string {
  return version.replace(/\(.*$/, '');
}

function readYaml(name: string) {
  return parse(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}
