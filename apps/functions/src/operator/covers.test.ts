import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { faultOfCover, faultsOfCovers } from './covers.ts';

/** What is wrong with a file of that name, which has so many bytes. */
function check(name: string, url = `/covers/${name}`, bytes = 1) {
  const folder = testFolder();
  writeFileSync(join(folder, name), Buffer.alloc(bytes));
  return faultOfCover(folder, url);
}

test('P14 a cover has the name of an image, and at most 500 kB', () => {
  for (const ending of ['avif', 'jpeg', 'jpg', 'JPG', 'png', 'svg', 'webp']) {
    expect(check(`a.${ending}`)).toBeUndefined();
  }
  for (const name of ['a.gif', 'a.svg.html', 'svg', '.a.svg']) {
    expect(check(name)).toMatch(/^the name of .* has to end in \.avif, /);
  }
  expect(check('a.png', undefined, 500_000)).toBeUndefined();
  expect(check('a.png', undefined, 500_001)).toMatch(/ has 501 kB, and a cover at most 500$/);
});

test('P14 a cover is found as a browser finds it, and one elsewhere is not ours to check', () => {
  for (const url of ['/covers/ñ b.svg', '/covers/%C3%B1%20b.svg?v=2', '/x/../covers/ñ b.svg#a']) {
    expect(check('ñ b.svg', url)).toBeUndefined();
  }
  for (const url of ['/covers/b.svg', '/covers/%zz', '/covers/', '/covers/a%00']) {
    expect(check('a.svg', url)).toMatch(/^there is no file| is not a file$/);
  }
  for (const url of ['/covers/..%2fa.svg', '/covers/../a.svg']) {
    expect(check('a.svg', url)).toMatch(/^there is no file| is not in /);
  }
  for (const url of ['https://x.example/covers/a.svg', '/a.svg', '/Covers/a.svg', '/covers']) {
    expect(check('b.svg', url)).toBeUndefined();
  }
});

test.skipIf(process.platform === 'win32')('P14 each cover that is not shown is named', () => {
  const folder = testFolder();
  const at = (id: string) => join(folder, `${id}.svg`);
  const outside = join(testFolder(), 'outside.svg');
  mkdirSync(at('b'));
  for (const path of [at('c'), outside]) writeFileSync(path, '');
  // To open it would hang.
  execFileSync('mkfifo', [at('d')]);
  symlinkSync(outside, at('e'));
  const nominees = [
    ...['a', 'b', 'c', 'd', 'e'].map((id) => buildNominee({ id })),
    buildNominee({ id: 'f', url: 'http://x.example/f.svg' }),
  ];
  expect(faultsOfCovers(folder, nominees)).toEqual([
    `The cover of a is not shown: there is no file ${at('a')} that can be read.`,
    `The cover of b is not shown: ${at('b')} is not a file.`,
    `The cover of d is not shown: ${at('d')} is not a file.`,
    expect.stringContaining(
      `The cover of e is not shown: ${at('e')} is not in ${folder}, or is a link that `,
    ),
    'The cover of f is not shown on a page with https: its address begins with http://.',
  ]);
});
