import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { isDoubtful, loadVariables, mend, readText } from './text-file.ts';

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

test('P2 P3 variables come from the file .env, if there is one, and those of the environment win', () => {
  const folder = testFolder();
  for (const [name, value] of Object.entries({ DATABASE: undefined, PORT: '3100', HOST: '' })) {
    vi.stubEnv(name, value);
  }
  loadVariables(folder);
  expect(process.env.DATABASE).toBeUndefined();
  const text = '\ufeff# ours\r\nDATABASE="a b.sqlite"\r\nPORT=80\r\nHOST=::1\r\n';
  // As Notepad writes it, and as Windows PowerShell does.
  for (const encoding of ['utf8', 'utf16le'] as const) {
    writeFileSync(join(folder, '.env'), text, encoding);
    loadVariables(folder);
    const { DATABASE, HOST, PORT } = process.env;
    expect([DATABASE, HOST, PORT]).toEqual(['a b.sqlite', '', '3100']);
    vi.stubEnv('DATABASE', undefined);
  }
  vi.unstubAllEnvs();
  mkdirSync(join(folder, 'wrong', '.env'), { recursive: true });
  expect(() => loadVariables(join(folder, 'wrong'))).toThrow(/^\S*\.env cannot be read: .*\.$/);
});
