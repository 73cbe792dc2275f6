import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { firestoreHost, newProjectId, testWithFirestore } from '../testing/firestore.ts';
import { testFolder } from '../testing/folder.ts';

const CLI = resolve(import.meta.dirname, 'nominees.ts');

function run(environment: Record<string, string>, ...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    FIRESTORE_EMULATOR_HOST: firestoreHost,
    METADATA_SERVER_DETECTION: 'none',
    ...environment,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

testWithFirestore('F8 nominees are added to a project once', () => {
  const project = newProjectId();
  expect(run({}, '--project', project).stdout).toBe(`${project} has 8 nominees, 8 of them new.\n`);
  expect(run({}, '--project', project).stdout).toBe(`${project} has 8 nominees, 0 of them new.\n`);
});

test('F8 an unusable nominees file is reported in one line', () => {
  const file = join(testFolder(), 'nominees.json');
  writeFileSync(file, '[{"id":"a"}]');
  const { status, stderr } = run({}, '--project', 'demo-goty', '--file', file);
  expect([status, stderr]).toEqual([
    1,
    `The nominees file ${file} cannot be used: entry 1, field "name": is missing.\n`,
  ]);
});

test('F8 an unreachable Firestore is reported in one line', () => {
  const { status, stderr } = run({ FIRESTORE_EMULATOR_HOST: '127.0.0.1:9' }, '--project', 'demo-x');
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Firestore of demo-x: [^\n]+application-default login`\?\)\n$/),
  ]);
}, 60_000);

test('F8 without a project it prints its usage', () => {
  expect(run({})).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Usage: [^\n]*\n$/) });
});
