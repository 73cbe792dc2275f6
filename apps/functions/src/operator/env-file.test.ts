import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { loadVariables, readVariables } from './env-file.ts';

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
  expect(() => loadVariables(join(folder, 'wrong'))).toThrow(
    /^\S*\.env cannot be read: it is a folder, no file; Docker makes one .*\.$/,
  );
});

/** What the lines of a `.env` say, or why it is refused. */
function read(text: string | Buffer) {
  const path = join(testFolder(), '.env');
  writeFileSync(path, text);
  return readVariables(path).variables;
}

test.each([
  ['EVENT_NAME="Premios #GOTY2026"', 'Premios #GOTY2026'],
  ['EVENT_NAME=\'"Lo Mejor" de 2026\' # the name', '"Lo Mejor" de 2026'],
  ['EVENT_NAME="Premios DATABASE=x"', 'Premios DATABASE=x'],
  ['EVENT_NAME=Gala "Lo Mejor" 2026', 'Gala "Lo Mejor" 2026'],
  ["EVENT_NAME=L'Hora del Joc", "L'Hora del Joc"],
  ['EVENT_NAME=Gana $1000 = todo', 'Gana $1000 = todo'],
  ['NOMINEES="C:\\goty\\nominees.json"', 'C:\\goty\\nominees.json'],
  ['DATABASE=C:\\goty\\new.sqlite \r', 'C:\\goty\\new.sqlite'],
  ['  export PORT = 4000  ', '4000'],
  ['TRUST_PROXY=1 # nginx', '1'],
  ['PUBLIC_URL=https://vote.example#top', 'https://vote.example#top'],
  ['PORT=', ''],
  ['# PORT=3000\n#PORT=1\n# say "PORT=2", SMTP_PORT=3\n\ufeffPORT=4', '4'],
])('P2 the line %j of .env says %j', (line, value) => {
  expect(Object.values(read(line))).toEqual([value]);
});

test.each([
  ['EVENT_NAME=Premios #GOTY2026', 'line 1 has a #'],
  ['EVENT_NAME=#VotaYa', 'line 1 has a #'],
  ['EVENT_COLOR=#e4002b', 'line 1 has a #'],
  ['DATABASE=/srv/Gala#1/goty.sqlite', 'line 1 has a #'],
  ['EVENT_NAME="Lo Mejor" de 2026', 'line 1 begins with a quote'],
  ['EVENT_NAME="Lo" y "Lo Mejor"', 'line 1 begins with a quote'],
  ['EVENT_NAME="Premios " #GOTY" 2026"', 'line 1 begins with a quote'],
  ["PORT=1\rEVENT_NAME='Hora del Joc", 'line 2 begins with a quote'],
  ['DATABASE=“.data/a.sqlite”', 'line 1 begins with a quote'],
  ['EVENT_NAME="Gala 2026\nDATABASE=a.sqlite', 'line 1 begins with a quote'],
  ['EVENT_NAME=Gala 2026DATABASE=.data/my-vote.sqlite', 'line 1 has two variables'],
  ['TRUST_PROXY=1 # nginxDATABASE=.data/my-vote.sqlite', 'line 1 has two variables'],
  ['EVENT_NAME="Gala 2026"DATABASE=.data/my-vote.sqlite', 'line 1 begins with a quote'],
  ['# EVENT_NAME=DATABASE=.data/my-vote.sqlite', 'line 1 has a variable behind a comment'],
  ['#\n# The gala.DATABASE=.data/my-vote.sqlite', 'line 2 has a variable behind a comment'],
  ['EVENT_NAME: Gala\nset PORT=1', 'line 1 is not NAME=value; line 2 is not NAME=value.'],
  ['$env:DATABASE="a.sqlite"', 'line 1 is not NAME=value'],
  ['EVENT_NAME', 'line 1 is not NAME=value'],
])('P3 %j in .env is refused: it %s', (text, fault) => {
  expect(() => read(text)).toThrow(`.env: ${fault}`);
});

test.each([
  ['PowerShell has added to UTF-8', 'PORT=80\r\n', 'utf8', 'DATABASE=a.sqlite\r\n', 'utf16le'],
  ['cmd has added to UTF-16', '\ufeffPORT=80\r\n', 'utf16le', 'DATABASE=a.sqlite\r\n', 'utf8'],
  ['cmd has added to an unended line', '\ufeffNAME=A', 'utf16le', 'DATABASE=a', 'utf8'],
] as const)('P3 a .env to which %s is refused', (_what, first, one, second, other) => {
  const bytes = Buffer.concat([Buffer.from(first, one), Buffer.from(second, other)]);
  expect(() => read(bytes)).toThrow(/\.env cannot be read: .* two encodings.*UTF-8\.$/);
});

test.each(['EVENT-NAME', 'DATABSE', 'database', 'port', 'Host'])(
  'P2 %s in .env is refused as a misspelt variable, by commands, too',
  (name) => {
    const folder = testFolder();
    writeFileSync(join(folder, '.env'), `${name}=x`);
    expect(() => loadVariables(folder)).toThrow(`.env: ${name} is not a variable of GOTY`);
  },
);

test('P2 a line of .env that a later one replaces is told', () => {
  const path = join(testFolder(), '.env');
  writeFileSync(path, 'DATABASE=a\nPORT=1\nPORT=1\nDATABASE=b\n');
  expect(readVariables(path)).toEqual({
    variables: { DATABASE: 'b', PORT: '1' },
    notes: [`${path}: line 4 replaces DATABASE=a.`],
  });
});
