// Lint refuses how code must not be written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/** The line and the category of each fault that our lint finds in this code. */
function faultsIn(code) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'goty-lint-'));
  const config = { extends: [resolve('biome.json')], vcs: { enabled: false } };
  writeFileSync(join(folder.path, 'biome.json'), JSON.stringify(config));
  writeFileSync(join(folder.path, 'sample.tsx'), code);
  const shell = process.platform === 'win32';
  const options = { cwd: folder.path, encoding: 'utf8', shell };
  const { stdout } = spawnSync('biome', ['lint', '--reporter=json', '.'], options);
  return JSON.parse(stdout).diagnostics.map(
    ({ location, category }) => `${location.start.line} ${category}`,
  );
}

test('lint refuses nested ternaries, and object literals that are spread into literals', () => {
  const code = `export const choose = (a: number) => (a > 1 ? 1 : a > 0 ? 2 : 3);
export const spread = (b: number) => ({ ...{ b }, c: 2 });
export const inParentheses = { ...({ d: 1 }) };
export const asProps = <p {...{ id: 'e' }} />;
export const optional = (f?: number) => ({ ...(f !== undefined && { f }), ...inParentheses });
`;
  assert.deepEqual(faultsIn(code), [
    '1 lint/style/noNestedTernary',
    '2 plugin',
    '3 plugin',
    '4 plugin',
  ]);
});
