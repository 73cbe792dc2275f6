import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { loadVariables } from './env-file.ts';

const TEXT = '# of ours\nDATABASE=.data/gala.sqlite\nPUBLIC_URL="https://vote.example"\nPORT=80\n';

test('P2 variables come from the file .env, and those of the environment win', () => {
  // As an editor writes it, as Windows PowerShell does, and as Notepad does.
  for (const bytes of [
    Buffer.from(TEXT),
    Buffer.from(`\ufeff${TEXT.replaceAll('\n', '\r\n')}`, 'utf16le'),
    Buffer.from(`\ufeff${TEXT}`),
  ]) {
    const folder = testFolder();
    for (const name of ['DATABASE', 'PUBLIC_URL']) vi.stubEnv(name, undefined);
    vi.stubEnv('PORT', '3100');
    writeFileSync(join(folder, '.env'), bytes);
    loadVariables(folder);
    const { DATABASE, PUBLIC_URL, PORT } = process.env;
    expect([DATABASE, PUBLIC_URL, PORT]).toEqual([
      '.data/gala.sqlite',
      'https://vote.example',
      '3100',
    ]);
    vi.unstubAllEnvs();
  }
});

test('P2 P3 no .env is needed, and one that cannot be read is refused in one line', () => {
  const folder = testFolder();
  loadVariables(folder);
  mkdirSync(join(folder, '.env'));
  expect(() => loadVariables(folder)).toThrow(/^[^\n]*\.env cannot be read: [^\n]*\.$/);
});
