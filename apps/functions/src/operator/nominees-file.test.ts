import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isCoverUrl } from '@goty/shared/nominee';
import { isId } from '@goty/shared/protocol';
import { buildNominee } from '@goty/shared/testing/nominee';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { faultsOfNominee, readNomineesFile } from './nominees-file.ts';

const good = buildNominee();

function read(content: string | Buffer, name = 'nominees.json') {
  const folder = testFolder();
  const path = join(folder, name);
  writeFileSync(path, content);
  mkdirSync(join(folder, 'covers'));
  writeFileSync(join(folder, good.url), '<svg/>');
  return readNomineesFile(path, join(folder, 'covers'));
}

const PROJECT = resolve(import.meta.dirname, '../../../..');

test("P7 the project's nominees file has eight games, each with a cover of the project", () => {
  const { nominees, ...file } = readNomineesFile(
    join(PROJECT, 'nominees.json'),
    join(PROJECT, 'covers'),
  );
  expect(nominees).toHaveLength(8);
  expect(file).toEqual({ notes: [], doubtful: [] });
  for (const { id, url } of nominees) expect(url).toBe(`/covers/${id}.svg`);
});

test.each([
  ['malformed JSON', '{', /nominees\.json cannot be used: .*JSON/],
  ['no list', { a: 1 }, /it must contain a list/],
  ['no nominees', [], /there are no nominees in it/],
  ['an entry that is not an object', [null], /entry 1: must be an object with id, name and url/],
  ['a missing field', [{ ...good, name: undefined }], /entry 1, field "name": is missing/],
  ['a field of the wrong type', [{ ...good, name: 1 }], /field "name": must be a string/],
  ['an unknown field', [{ ...good, votos: 3 }], /entry 1, field "votos": is not a/],
  ['a duplicate id', [good, good], /entry 2, field "id": "a" appears twice/],
  ['a missing cover', [{ ...good, url: '/covers/c.svg' }], /"url": there is no file .*c\.svg/],
])('P3 a nominees file with %s is refused with the entry, the field and the reason', (...given) => {
  const [, content, why] = given;
  const file = typeof content === 'string' ? content : JSON.stringify(content);
  expect(() => read(file)).toThrow(why);
});

test('P3 a missing nominees file is refused in one line', () => {
  expect(() => readNomineesFile('/nowhere/nominees.json', '/nowhere')).toThrow(
    /^[^\n]*ENOENT[^\n]*$/,
  );
});

test('O1 what a program has made of a CSV file is read, or refused with what it has', () => {
  const uno = [{ id: 'uno', name: 'Uno', url: '' }];
  expect(read('"sep=;"\r\nid;nombre;portada\r\nuno;Uno;\r\n').nominees).toEqual(uno);
  // As Windows PowerShell's `>` writes it.
  const utf16 = Buffer.from('\ufeffid;name;url\n007;Café Bond;\n', 'utf16le');
  expect(read(utf16).nominees).toEqual([{ id: '007', name: 'Café Bond', url: '' }]);
  expect(() => read(' ID ,Name*,URL\nuno,Uno,\n')).toThrow(
    'its first line has no column "name", but ID, Name*, URL: CSV needs the columns id, name and url, each once.',
  );
  expect(() => read('id,nombre,name,url\nhongo,El reino,Kingdom,\n')).toThrow(
    'its first line has "nombre" and "name" for the field name: CSV needs',
  );
});

test('O1 a CSV file has the same nominees, as spreadsheets save it and whatever its name', () => {
  const lines = [
    '\uFEFFsep=;',
    ' ID ;Nombre;PORTADA;',
    'a;"Uno, ""dós""";/a.svg;',
    ';;',
    '',
    "-b;'=1+1;/b.svg",
  ];
  const csv = lines.join('\r\n');
  for (const file of [csv, Buffer.from(csv.slice(1), 'latin1')]) {
    expect(read(file, 'nominees.txt')).toEqual({
      nominees: [
        { id: 'a', name: 'Uno, "dós"', url: '/a.svg' },
        { id: '-b', name: '=1+1', url: '/b.svg' },
      ],
      notes: [],
      doubtful: [],
    });
  }
});

test('O1 further columns are left out, and told', () => {
  const file = read('ID;Género;name;url;votos;\na;RPG;x;/a;3;\n', 'n.csv');
  expect(file.nominees).toEqual([{ id: 'a', name: 'x', url: '/a' }]);
  expect(file.notes).toEqual([
    expect.stringMatching(/^Left out of .*n\.csv: the columns género, votos\.$/),
  ]);
});

test('O1 blanks around a text do not count, and without a cover there are initials', () => {
  for (const file of [
    'id,name,url\n a ,\u00a0x , /a\t\nb,y,\n',
    JSON.stringify([
      { id: ' a ', name: '\u00a0x ', url: ' /a\t' },
      { id: 'b', name: 'y', url: '' },
    ]),
  ]) {
    expect(read(file).nominees).toEqual([
      { id: 'a', name: 'x', url: '/a' },
      { id: 'b', name: 'y', url: '' },
    ]);
  }
});

test.each([
  ['1 2 3 4 5 6 7 8 9 10 11 12', ['Ids sort as text, so 12 comes before 2: write 02 for 2.']],
  ['01 02 10 11', []],
  ['hades hades-2 zelda 007 3-2', []],
  ['f-7 f-16 a', ['Ids sort as text, so f-16 comes before f-7: write 02 for 2.']],
])('O1 of the ids %s an order that may surprise is told', (ids, notes) => {
  const lines = ids.split(' ').map((id) => `${id},x,/a`);
  expect(read(['id,name,url', ...lines].join('\n')).notes).toEqual(notes);
});

test('O1 a name with a comma, a colon or a quotation mark is no reason to ask', () => {
  const names = [
    'The Legend of Zelda: Tears of the Kingdom',
    'Warhammer 40,000: Space Marine II',
    'Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb',
    'Who framed "Roger Rabbit"?',
    'R&D; 2 < 3 & ¿Qué? — «ñandú», 原神, 👩‍🚀, CORAÇÃO',
  ];
  const lines = names.map((name, at) => `n${at},"${name.replaceAll('"', '""')}",/a`);
  const { nominees, ...file } = read(['id,name,url', ...lines].join('\n'));
  expect(nominees.map(({ name }) => name)).toEqual(names);
  expect(file).toEqual({ notes: [], doubtful: [] });
});

test('O1 of many faults ten are named', () => {
  const entries = Array.from({ length: 500 }, (_, index) => `a b,${index},/a`);
  expect(() => read(`id,name,url\n${entries.join('\n')}`)).toThrow(
    /^[^\n]*line 2, field "id": ([^;]*; ){9}line 11, field "id": [^;]*; and 490 more\.$/,
  );
});

test.each([
  ['id,name,url\na b,,/a.svg\n', /line 2, field "id": must be .*; line 2, field "name": must be/],
  ['id,name,url\na,"x\ny",/a\n\na,x,ftp:\n', /[:;] line 5, field "url": must be/],
  ['id,name,url\na,x,/a\na,x,/a\n', /: line 3, field "id": "a" appears twice\.$/],
  ['sep=;\nid;name;url\na b;x;/a\n', /: line 3, field "id": must be/],
  ['id,name,url\na,x\n', /: line 2, field "url": is missing/],
  ['id,name,url\r\na,"x\r\ny",/a\r\n\r\na,x,ftp:\r\n', /[:;] line 5, field "url": must be/],
  [
    'id,nombre, name,url\na,Uno,One,/a\n',
    /: its first line has "nombre" and "name" for the field name: CSV needs [^;]*$/,
  ],
  ['id,name\na,x\nb,x\n', /: its first line has no column "url", but id, name: CSV needs [^;]*$/],
  ['a,Uno,/a.svg\n', /: its first line has no column "id"/],
  // A comma in a name.
  ['id,name,url\na,Warhammer 40,000,/a\n', /field "url": must be .*; line 2, field "column 4": /],
  ['id,name,url\na,x,/a,3\n', /: line 2, field "column 4": is not a field of a nominee/],
  ['id,name,url\na,"x,/a\n', /: line 2: Quoted field unterminated/],
  ['id,name,url\n', /: there are no nominees in it \(the first line of CSV/],
  ['', /: there are no nominees in it \(the first line of CSV/],
])('O1 the CSV %j is refused with every fault, its line and its field', (csv, why) => {
  expect(() => read(csv, 'nominees.csv')).toThrow(why);
});

test.each([
  '¡Pokémon! 7',
  '原神',
  'ゼルダ',
  'لعبة',
  '🎮',
  '👩‍🚀 Space',
  'می‌خواهم', // with a zero-width non-joiner, as Persian needs it
  'x'.repeat(120),
])('P3 %j is a valid name', (name) => {
  expect(faultsOfNominee({ ...good, name })).toEqual([]);
});

test.each([
  '',
  '  \u00a0\u3000',
  'x'.repeat(121),
  '\u200b',
  '\u200d\u2060\ufeff',
  '\u3164', // a letter that shows nothing
  '\u00ad ',
  '\u0301',
  'a\0b',
  'a\nb',
  'a\u007f',
  'a\u0085',
  '\u202eIIsedaH',
  'a\u2066b',
  'a\ud800',
])('P3 %j is not a valid name', (name) => {
  expect(faultsOfNominee({ ...good, name })).toEqual([
    expect.stringMatching(/^field "name": must be /),
  ]);
});

const text = fc.oneof(
  fc.constantFrom('a', 'b', 'Hades II', 'https://example.org/a.png', 'http://[', '__proto__', ''),
  fc.constantFrom('=1+1', '"', "'", '\u001b[31m', '\u202e', '\u200b', '\ud800', '<b>', 'a,b\r\n'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const field = fc.oneof(fc.constantFrom('id', 'name', 'url'), text);
const entry = fc.oneof(
  fc.record({ id: text, name: text, url: text }, { requiredKeys: [] }),
  fc.dictionary(field, fc.oneof(text, fc.jsonValue({ maxDepth: 1 }))),
  fc.jsonValue({ maxDepth: 2 }),
);
const json = fc.oneof(
  { weight: 4, arbitrary: fc.array(entry, { maxLength: 4 }).map((list) => JSON.stringify(list)) },
  fc.json(),
  text,
);
const csv = fc
  .array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
  .map((lines) => ['id,name,url', ...lines.map((cells) => cells.join(','))].join('\n'));

test('P3 O1 any JSON or CSV is nominees that follow the rules, or one line that says what is wrong', () => {
  const folder = testFolder();
  const path = join(folder, 'nominees');
  fc.assert(
    fc.property(fc.oneof(json, csv), (file) => {
      writeFileSync(path, file);
      try {
        for (const nominee of readNomineesFile(path, folder).nominees) {
          expect(isId(nominee.id)).toBe(true);
          expect(nominee.url === '' || isCoverUrl(nominee.url)).toBe(true);
          expect(nominee.name).not.toMatch(/^\s*$|\p{Cc}|.{121}/u);
        }
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        expect(error.message).not.toMatch(/\p{Cc}|undefined/u);
      }
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});
