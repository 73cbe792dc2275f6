import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { isDoubtful, mend, readText } from './text-file.ts';

const ACCENTS = 'Pokémon, Más allá, Señor, ¿Qué?, Ñandú, Baldur’s Gate, Foo – Bar™';
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

function decode(bytes: Buffer) {
  const path = join(testFolder(), 'n.csv');
  writeFileSync(path, bytes);
  return readText(path);
}

/** The bytes of a text in a charset with one byte for each character. */
function encode(text: string, charset: string) {
  const characters = new TextDecoder(charset).decode(BYTES);
  return Buffer.from([...text].map((character) => characters.indexOf(character)));
}

test.each([
  ['UTF-8', Buffer.from(ACCENTS)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${ACCENTS}`)],
  ['UTF-16, as Windows PowerShell writes it', Buffer.from(`\ufeff${ACCENTS}`, 'utf16le')],
  ['UTF-16, big end first', Buffer.from(`\ufeff${ACCENTS}`, 'utf16le').swap16()],
  ['Windows-1252', encode(ACCENTS, 'windows-1252')],
  ['Mac Roman, as Excel saves CSV on a Mac', encode(ACCENTS, 'macintosh')],
])('O1 text in %s is read, and that is sure', (_charset, bytes) => {
  expect(decode(bytes)).toEqual({ text: ACCENTS, isSure: true });
});

test.each(['ni\x96o', 'Par\x92s', 'a\x8e \xf0'])('O1 what %j says is not sure', (bytes) => {
  expect(decode(Buffer.from(bytes, 'latin1')).isSure).toBe(false);
});

test('O1 what is no text is to be saved as CSV', () => {
  const xlsx = Buffer.from('PK\u0003\u0004\u0014\0\u0006\0');
  expect(() => decode(xlsx)).toThrow('save it as CSV');
});

test.each([
  ['PokÃ©mon', 'Pokémon'],
  ['PokÃ©mon: Ã‰lite, EspaÃ±a â€“ Ãšltima', 'Pokémon: Élite, España – Última'],
  // Read as Latin-1.
  ['Ã\u0089lite', 'Élite'],
  ['ã‚¼ãƒ«ãƒ€', 'ゼルダ'],
  ['R&amp;D &#8211; Pok&eacute;mon &Ntilde; &#xe9; &lt;3 &hearts;', 'R&D – Pokémon Ñ é <3 ♥'],
  ['/a.jpg?1&amp;b=2 ', '/a.jpg?1&b=2'],
])('O1 %j is certainly %j', (text, meant) => {
  expect(mend(text)).toBe(meant);
  expect(isDoubtful(meant)).toBe(false);
});

test.each(['Pok?mon', 'Pok\ufffdmon', 'Pok├®mon', 'Pok√©mon', 'CAFÉ™', '&nonsense;'])(
  'O1 %j is left as it is, and doubtful',
  (text) => {
    expect(mend(text)).toBe(text);
    expect(isDoubtful(text)).toBe(true);
  },
);
