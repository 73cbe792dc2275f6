import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const dist = resolve(import.meta.dirname, '../dist');
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
);

/** Returns the size of chunks with their static imports, in bytes after gzip. */
function gzipBytes(names: readonly string[], seen = new Set<string>()): number {
  return names.reduce((sum, name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no chunk of ${name}`);
    if (seen.has(name)) return sum;
    seen.add(name);
    const own = gzipSync(readFileSync(join(dist, chunk.file))).length;
    return sum + own + gzipBytes(chunk.imports ?? [], seen);
  }, 0);
}

/** What a screen needs to be interactive. The entry loads main after the first paint. */
const FIRST_CHUNKS = ['index.html', 'src/main.tsx'];

test('W15 W81 the first script is at most 7 kB, and the first JavaScript of either screen 97.2 kB', () => {
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  expect(entries).toEqual(['index.html']);
  expect(gzipBytes(entries)).toBeLessThanOrEqual(7_000);
  const bytes = gzipBytes(FIRST_CHUNKS);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(97_200);
});

test.each([
  ['without Firestore', 151_300, 'live/event-source.ts'],
  ['with Firestore', 283_200, 'live/firestore.ts'],
])('W15 all JavaScript until the chart is live: %s, at most %i bytes', (_home, limit, source) => {
  const late = ['inicio/results.tsx', 'inicio/chart.tsx', source].map((name) => `src/${name}`);
  const bytes = gzipBytes([...FIRST_CHUNKS, ...late]);
  expect(bytes).toBeGreaterThan(gzipBytes(FIRST_CHUNKS) + 30_000);
  expect(bytes).toBeLessThanOrEqual(limit);
});

test('W16 W152 stage and overlay are at most 9 kB of JavaScript and 3.8 kB of styles of their own', () => {
  const { file = '', css = [] } = manifest['src/stage/stage.tsx'] ?? {};
  const bytesOf = (name: string) => gzipSync(readFileSync(join(dist, name))).length;
  const styles = css.filter((name) => name.includes('stage-'));
  expect(styles).toHaveLength(1);
  expect(bytesOf(file)).toBeLessThanOrEqual(9_000);
  expect(styles.map(bytesOf)[0]).toBeLessThanOrEqual(3_800);
});
