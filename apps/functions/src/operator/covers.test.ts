import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { faultOfCover, faultsOfCovers } from './covers.ts';

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const AVIF = Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'latin1');
const HEIC = Buffer.from('\0\0\0\x1cftypheic\0\0\0\0mif1heicmiaf', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

function check(name: string, content: string | Buffer, url = `/covers/${name}`) {
  const folder = testFolder();
  writeFileSync(join(folder, name), content);
  return faultOfCover(folder, url);
}

test.each([
  ['a.jpg', JPEG],
  ['a.jpeg', JPEG],
  ['a.png', PNG],
  ['a.webp', WEBP],
  ['a.avif', AVIF],
  ['a.svg', SVG],
  [
    'b.svg',
    `\uFEFF<?xml version="1.0"?>\n<!-- of <svg> -->\n<!DOCTYPE svg PUBLIC "x" "y">\n${SVG}`,
  ],
])('P14 %s may be a cover', (name, content) => {
  expect(check(name, content)).toBeUndefined();
});

test.each([
  ['a.jpg', PNG, / is of type PNG, so its name has to end in \.png$/],
  ['a.png', JPEG, / is of type JPEG, so its name has to end in \.jpg or \.jpeg$/],
  ['a.JPG', JPEG, / has to end in \.jpg or \.jpeg$/],
  ['a.svg', '<html><svg/></html>', / is not a JPEG, PNG, WebP, AVIF or SVG image$/],
  ['a.avif', HEIC, / is not a JPEG/],
  ['a.jpg', '', / is not a JPEG/],
  ['a.jpg', 'GIF89a', / is not a JPEG/],
  ['a.png', Buffer.concat([PNG, Buffer.alloc(500_000)]), / has 501 kB, and a cover at most 500$/],
])('P14 %s with other content is a fault', (name, content, fault) => {
  expect(check(name, content)).toMatch(fault);
});

test('P14 a cover is found as a browser finds it', () => {
  for (const url of ['/covers/ñ b.svg', '/covers/%C3%B1%20b.svg?v=2', '/x/../covers/ñ b.svg#a']) {
    expect(check('ñ b.svg', SVG, url)).toBeUndefined();
  }
  for (const url of ['/covers/b.svg', '/covers/%zz', '/covers/', '/covers/a%00']) {
    expect(check('a.svg', SVG, url)).toMatch(/^there is no file|is not (a file|in) /);
  }
  for (const url of ['/covers/..%2fa.svg', '/covers/../a.svg']) {
    expect(check('a.svg', SVG, url)).toMatch(/ is not in /);
  }
});

test('P14 a cover elsewhere is not ours to check', () => {
  for (const url of ['https://x.example/covers/a.svg', '/a.svg', '/Covers/a.svg', '/covers']) {
    expect(check('b.svg', '', url)).toBeUndefined();
  }
});

test.skipIf(process.platform === 'win32')(
  'P14 every cover that is not shown is named, and a named pipe is not opened, which would hang',
  () => {
    const folder = testFolder();
    const at = (id: string) => join(folder, `${id}.svg`);
    const outside = join(testFolder(), 'outside.svg');
    mkdirSync(at('b'));
    for (const path of [at('c'), outside]) writeFileSync(path, SVG);
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
        `The cover of e is not shown: ${at('e')} is a link that leads out of `,
      ),
      'The cover of f is not shown on a page with https: its address begins with http://.',
    ]);
  },
);
