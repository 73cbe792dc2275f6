import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** The file with the digest of a build's sources. It is part of the build, so that it comes from Turborepo's cache, too. */
export const SOURCES_FILE = join(root, 'apps/web/dist/.vite/sources');

const SOURCES = [
  'apps/web/{art,build,public,src}/**',
  'apps/web/*.*',
  'packages/shared/src/**',
  'covers/**',
  'nominees.json',
  'pnpm-lock.yaml',
];

export function digestSources(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    const file = join(root, path);
    if (statSync(file).isFile()) hash.update(path).update(readFileSync(file));
  }
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'));
  return hash.update(JSON.stringify(variables.sort())).digest('hex');
}

export function isBuildCurrent(): boolean {
  return existsSync(SOURCES_FILE) && readFileSync(SOURCES_FILE, 'utf8') === digestSources();
}
