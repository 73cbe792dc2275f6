import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

const promised = [
  ...readFileSync(resolve(root, 'SPEC.md'), 'utf8').matchAll(/^- \*\*([A-Z]\d+)\*\*/gm),
].map(([, id]) => id);

const files = globSync('{apps,packages}/*/{build,cli,src}/**/*{.test.ts,.test.tsx,.spec.ts,-contract.ts}', {
  cwd: root,
});

// Titles stand behind `test(` or, with a table, behind `)(`; ids of a table stand in its rows.
const quoted = files.flatMap((file) =>
  [...readFileSync(resolve(root, file), 'utf8').matchAll(/[([]\s*['"`]([A-Z]\d+)(?=[ '])/g)].map(
    ([, id]) => id,
  ),
);

test('every promise of SPEC.md is quoted by at least one test title', () => {
  expect(promised.length).toBeGreaterThan(40);
  expect(promised.filter((id) => !quoted.includes(id))).toEqual([]);
});

test('every id that a test title quotes is a promise of SPEC.md', () => {
  expect(quoted.filter((id) => !promised.includes(id))).toEqual([]);
});
