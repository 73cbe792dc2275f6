import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { summarize, testsOf } from './test-results.mjs';

const SPEC = '## V\n\n- **V1** A, see **V9**.\n- **V2** B.\n- **V3** C.\n- **W10** D.\n';

/** Tests of one file with these titles, each behind its status. */
const tests = (...titles) =>
  titles.map((text) => {
    const [status, ...title] = text.split(' ');
    return { title: title.join(' '), status, file: 'a', ms: 0 };
  });

test('a pass is a pass, a flaky test has failed, and what did not run is skipped', () => {
  const statuses = (report) => testsOf(report).map(({ status }) => status);
  const words = ['passed', 'failed', 'skipped', 'pending', 'todo'];
  const assertionResults = words.map((status) => ({ status }));
  const found = statuses({ testResults: [{ name: resolve('a'), assertionResults }] });
  assert.deepEqual(found, ['passed', 'failed', ...Array(3).fill('skipped')]);
  const spec = (status) => ({ tests: [{ status, results: [] }] });
  const suites = [
    { specs: [spec('expected'), spec('flaky')] },
    { suites: [{ specs: [spec('x')] }] },
  ];
  assert.deepEqual(statuses({ suites }), ['passed', 'failed', 'skipped']);
});

test('every promise needs a test that begins with its id, and every id a promise', () => {
  const { lines, isGreen } = summarize(
    true,
    SPEC,
    tests('passed V1 W10 a', 'passed as V2 says', 'skipped G7 b', 'skipped V3 c'),
  );
  assert.equal(isGreen, false);
  assert.deepEqual(lines.slice(2), [
    'V2 is not proven by this run: no test has it in its title.',
    'G7 is not proven by this run: SPEC.md has no such promise.',
    'V3 is not proven by this run: its tests were skipped.',
    '2 passed, 2 failed, 2 skipped',
  ]);
});

test('a promise whose tests were skipped is told, and the run is green', () => {
  const { lines, isGreen } = summarize(true, '- **V1** A.\n', tests('skipped V1 a', 'passed b'));
  assert.equal(isGreen, true);
  assert.equal(lines[2], 'V1 is not proven by this run: its tests were skipped.');
  assert.equal(lines.at(-1), '1 passed, 0 failed, 1 skipped');
});

test('a failed test makes a run red, and so does a runner that has died', () => {
  const failed = summarize(false, SPEC, tests('failed V1 a', 'failed V2 b', 'passed c'));
  assert.deepEqual(failed.lines.slice(2, 4), ['✘ V1 a (a)', '✘ V2 b (a)']);
  assert.deepEqual([failed.isGreen, failed.lines.at(-1)], [false, '1 passed, 2 failed, 0 skipped']);
  const died = summarize(false, SPEC, tests('passed c'));
  assert.deepEqual([died.isGreen, died.lines.at(-1)], [false, '1 passed, 1 failed, 0 skipped']);
});

test('the files that took longest come first', () => {
  const files = ['a', 'b', 'a', 'c'].map((file, at) => ({ file, ms: 100 * (9 - 4 * at) ** 2 }));
  assert.deepEqual(summarize(true, '', files).lines.slice(1, 4), [
    '   8.2 s  a',
    '   2.5 s  b',
    '   0.9 s  c',
  ]);
});

test('a test file that is missing is named, and one of a script is run', () => {
  const script = join(import.meta.dirname, 'test.mjs');
  const runs = (...args) => {
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
  };
  for (const name of ['nope.test.ts', 'apps/e2e/src/nope.spec.ts:3']) {
    const { status, stderr } = runs(name);
    assert.deepEqual([status, stderr], [1, `There is no file ${name}.\n`]);
  }
  assert.equal(runs('scripts/rooms.test.mjs').status, 0);
});
