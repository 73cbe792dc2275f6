import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { readNomineesFile } from './nominees-file.ts';

function read(content: string | Buffer) {
  const path = join(testFolder(), 'nominees.json');
  writeFileSync(path, content);
  return readNomineesFile(path);
}

const good = buildNominee();

test("P7 the project's nominees file has eight games, each with a cover of the project", () => {
  const nominees = readNomineesFile(resolve(import.meta.dirname, '../../../../nominees.json'));
  expect(nominees).toHaveLength(8);
  for (const { id, url } of nominees) expect(url).toBe(`/covers/${id}.svg`);
});

test('P7 a cover is an http(s) address or a path on the same origin', () => {
  for (const url of ['/a.svg', 'https://example.org/a.png', 'http://example.org/a.png']) {
    expect(read(JSON.stringify([{ ...good, url }]))).toEqual([{ ...good, url }]);
  }
});

test('P7 a byte order mark is accepted', () => {
  expect(read(`\uFEFF${JSON.stringify([good])}`)).toEqual([good]);
});

test('P3 a nominees file that is not UTF-8 is refused', () => {
  const content = Buffer.from(JSON.stringify([{ ...good, name: 'Niño' }]), 'latin1');
  expect(() => read(content)).toThrow(/utf-8/i);
});

test.each([
  ['malformed JSON', '{', /nominees\.json cannot be used: .*JSON/],
  ['no list', '{"a": 1}', /it must contain a list/],
  ['an entry that is not an object', '[null]', /entry 1: must be an object with id, name and url/],
  [
    'a missing field',
    JSON.stringify([{ ...good, name: undefined }]),
    /entry 1, field "name": is missing/,
  ],
  [
    'a field of the wrong type',
    JSON.stringify([{ ...good, name: 1 }]),
    /field "name": must be a string/,
  ],
  ['an unknown field', JSON.stringify([{ ...good, votos: 3 }]), /entry 1, field "votos": is not a/],
  [
    'a malformed id',
    JSON.stringify([good, { ...good, id: 'b c' }]),
    /entry 2, field "id": must be/,
  ],
  ['a duplicate id', JSON.stringify([good, good]), /entry 2, field "id": "a" appears twice/],
  ['a blank name', JSON.stringify([{ ...good, name: ' ' }]), /field "name": must be 1 to 120/],
  [
    'a long name',
    JSON.stringify([{ ...good, name: 'x'.repeat(121) }]),
    /field "name": must be 1 to 120/,
  ],
  [
    'a protocol-relative cover',
    JSON.stringify([{ ...good, url: '//evil.example/a' }]),
    /field "url": must be/,
  ],
  [
    'a javascript: cover',
    JSON.stringify([{ ...good, url: 'javascript:alert(1)' }]),
    /field "url": must be/,
  ],
])(
  'P3 a nominees file with %s is refused with the entry, the field and the reason',
  (_what, content, why) => {
    expect(() => read(content)).toThrow(why);
  },
);

test('P3 a missing nominees file is refused in one line', () => {
  expect(() => readNomineesFile('/nowhere/nominees.json')).toThrow(/^[^\n]*ENOENT[^\n]*$/);
});
