import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { refusal, run, start } from '../testing/process.ts';

test('P6 a second process on the same database is refused, also through a symbolic link', async () => {
  const folder = testFolder();
  const DATABASE = join(folder, 'goty.sqlite');
  const link = join(folder, 'link.sqlite');
  symlinkSync(DATABASE, link);
  const first = await start({ DATABASE: link });
  expect(await refusal({ DATABASE })).toBe(
    `The database ${DATABASE} is in use by another process: stop that one first.\n`,
  );
  first.child.kill('SIGKILL');
  await first.exit;
  await start({ DATABASE });
});

test('P3 a port in use is reported in one line, and nothing is written', async () => {
  const folder = testFolder();
  const { port } = await start({ DATABASE: join(folder, 'first.sqlite') });
  const DATABASE = join(folder, 'new', 'goty.sqlite');
  expect(await refusal({ DATABASE, PORT: String(port) })).toBe(
    `Port ${port} is in use: stop the other program or set PORT.\n`,
  );
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('P3 an older Node is reported in one line', async () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;
  const script = resolve(import.meta.dirname, '../../../scripts/start.mjs');
  const refused = run({}, '--import', older, script);
  expect(await refused.exit).toEqual([1, null]);
  expect(await refused.stderr).toBe(
    'GOTY needs Node 24 or later, but this is 20.19.0: install it from https://nodejs.org and try again.\n',
  );
});
