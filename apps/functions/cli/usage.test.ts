import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { openStandalone, openVote, run } from '../testing/operator-homes.ts';

const GOTY = resolve(import.meta.dirname, 'goty.ts');

test('O2 a listed file is the same when it is set, also where names look like formulas', async () => {
  const { folder, goty } = await openVote(openStandalone);
  const names = ['=1', "'=1", "''+1", "'Uno"];
  const nominees = names.map((name, index) => ({ id: `n${index}`, name, url: '/a.svg' }));
  writeFileSync(join(folder, 'n.json'), JSON.stringify(nominees));
  expect(goty('nominees', 'set', 'n.json').status).toBe(0);
  const listed = goty('nominees', 'list', '--csv').stdout;
  expect(listed).toContain(`n0,"'=1",`);
  writeFileSync(join(folder, 'listed.csv'), listed);
  const { stdout } = goty('nominees', 'set', 'listed.csv', '--dry-run');
  expect(stdout).toMatch(/0 nominees added, 0 changed/);
});

test('O8 every command has help, and wrong usage is exit code 2', () => {
  const folder = testFolder();
  for (const command of [
    'nominees',
    'results',
    'audit',
    'backup',
    'export',
    'import',
    'reset',
    'open',
  ]) {
    expect(run({}, folder, command, '--help')).toMatchObject({ status: 0, stderr: '' });
  }
  expect(run({}, folder, 'unknown').status).toBe(2);
  expect(run({}, folder, 'nominees', 'set').status).toBe(2);
  expect(run({}, folder, 'results', '--nonsense').status).toBe(2);
});

test('O8 a reader that closes the pipe, such as `head`, is no failure', async () => {
  const command = spawn(process.execPath, [GOTY, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  command.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(command.stderr), once(command, 'close')]);
  expect([code, stderr]).toEqual([0, '']);
});

test('O8 what only the operator can fix is one line and exit code 1', () => {
  const folder = testFolder();
  expect(run({ DATABASE: join(folder, 'none.sqlite') }, folder, 'results')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no database [^\n]*\n$/),
  });
  const unreachable = { FIRESTORE_EMULATOR_HOST: '127.0.0.1:9' };
  expect(run(unreachable, folder, 'results', '--project', 'demo-x')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Firestore of demo-x: [^\n]+application-default login`\?\)\n$/),
  });
});
