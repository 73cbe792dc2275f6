import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { loadVariables } from './env-file.ts';

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
