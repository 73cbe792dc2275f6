import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  countTests,
  failedTests,
  readTests,
  slowestFiles,
  unprovenPromises,
} from './test-results.mjs';

/** Reads results that a test runner could have written, as `[title, status]` each. */
function read(t, results) {
  return readAll(t, results).map(({ title, status }) => [title, status]);
}

function readAll(t, results) {
  const file = join(testFolder(t), 'results.json');
  writeFileSync(file, typeof results === 'string' ? results : JSON.stringify(results));
  return readTests('apps/x', file);
}

function testFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const vitest = (status, ...assertionResults) => ({
  testResults: [{ name: resolve('apps/x/a.test.ts'), status, assertionResults }],
});

test('tests of Vitest: only a pass is a pass, and what did not run is skipped', (t) => {
  const statuses = ['passed', 'failed', 'skipped', 'pending', 'todo'];
  const tests = statuses.map((status) => ({ title: status, status }));
  const results = readAll(t, vitest('failed', ...tests));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['passed', 'failed', 'skipped', 'skipped', 'skipped'],
  );
  assert.deepEqual(countTests(results), { passed: 1, failed: 1, skipped: 3 });
});

test('a file of Vitest that fails without a failed test is one', (t) => {
  const missing = ['apps/x/a.test.ts', 'failed'];
  assert.deepEqual(read(t, vitest('failed')), [missing]);
  const skipped = { title: 'V1 x', status: 'skipped' };
  assert.deepEqual(read(t, vitest('failed', skipped)), [['V1 x', 'skipped'], missing]);
  assert.deepEqual(read(t, vitest('passed', skipped)), [['V1 x', 'skipped']]);
});

/** What Vitest itself says of a file of tests. */
function runVitest(t, code) {
  const folder = testFolder(t);
  const results = join(folder, 'results.json');
  writeFileSync(join(folder, 'a.test.js'), code);
  const flags = ['--globals', '--reporter=json', `--outputFile=${results}`];
  const vitest = resolve('apps/functions/node_modules/vitest/vitest.mjs');
  spawnSync(process.execPath, [vitest, 'run', '--root', folder, ...flags]);
  return readTests('apps/x', results);
}

test('what cannot run here is not proven: skipped by name it is no fault, else it is one', (t) => {
  const tests = runVitest(
    t,
    `test('V1 runs', () => {});
     test.skipIf(true)('V2 is skipped by name', () => {});
     describe.skipIf(true)('as a group', () => test('V3 is skipped with its group', () => {}));
     test.each([])('V4 is told of nothing: %s', () => {});`,
  );
  const spec = '- **V1** A.\n- **V2** B.\n- **V3** C.\n- **V4** D.\n- **V5** E.\n';
  const none = 'no test has it in its title';
  assert.deepEqual(unprovenPromises(spec, tests), [
    { id: 'V2', isFault: false, reason: 'its tests were skipped' },
    { id: 'V3', isFault: false, reason: 'its tests were skipped' },
    { id: 'V4', isFault: true, reason: none },
    { id: 'V5', isFault: true, reason: none },
  ]);
});

const PLAYWRIGHT = {
  suites: [
    {
      specs: [spec('a', 'expected'), spec('b', 'skipped')],
      suites: [{ specs: [spec('c', 'flaky'), spec('d', 'unexpected')] }],
    },
  ],
  errors: [{ message: 'no browser' }],
};

function spec(title, status) {
  const results = [{ duration: 1_000 }, { duration: 500 }];
  const tests = [{ status, results, projectName: 'cloud' }];
  return { title, file: 'a.spec.ts', line: 7, tests };
}

test('tests of Playwright: in suites within suites, and a flaky one has failed', (t) => {
  assert.deepEqual(read(t, PLAYWRIGHT), [
    ['no browser', 'failed'],
    ['a', 'passed'],
    ['b', 'skipped'],
    ['c', 'failed'],
    ['d', 'failed'],
  ]);
});

test('a red run names each failed test, its file, and the command that runs it alone', (t) => {
  const failed = { title: "V1 isn't (so)", status: 'failed' };
  assert.deepEqual(failedTests(readAll(t, vitest('failed', failed))), [
    "✘ V1 isn't (so)",
    '  in apps/x/a.test.ts',
    "  npx pnpm@12 test apps/x/a.test.ts -t '^.*V1 isn.t \\(so\\)$'",
  ]);
  assert.deepEqual(failedTests(readAll(t, PLAYWRIGHT)).slice(-3), [
    '✘ d',
    '  in apps/x/src/a.spec.ts',
    '  npx pnpm@12 test apps/x/src/a.spec.ts:7 --project=cloud',
  ]);
});

test('the files that took longest come first', () => {
  const tests = [
    { file: 'a', ms: 100 },
    { file: 'b', ms: 900 },
    { file: 'a', ms: 1_000 },
    { file: 'c', ms: 0 },
  ];
  assert.deepEqual(slowestFiles(tests, 2), ['   1.1 s  a', '   0.9 s  b']);
});

test('results that are missing, cut off or of another kind are one failed test', (t) => {
  t.mock.method(console, 'error', () => {});
  const failed = [['apps/x', 'failed']];
  const [none] = readTests('apps/x', join(tmpdir(), 'goty-does-not-exist.json'));
  assert.deepEqual([none.status, none.isMissing], ['failed', true]);
  for (const results of ['', '{"testResults": [', '[]', '{}', 'null']) {
    assert.deepEqual(read(t, results), failed);
  }
});

const SPEC = '## V\n\n- **V1** A promise.\n- **V2** Another, see **V9**.\n- **W10** A third.\n';
const passed = (title) => ({ title, status: 'passed' });

test('every promise needs a test that begins with its id', () => {
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 V2 a'), passed('W10 b'), passed('c')]), []);
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 a'), passed('as V2 says'), passed('W10')]), [
    { id: 'V2', isFault: true, reason: 'no test has it in its title' },
    { id: 'W10', isFault: true, reason: 'no test has it in its title' },
  ]);
});

test('a test of a promise that SPEC.md does not have is a fault, also if it was skipped', () => {
  const skipped = { title: 'V9 b', status: 'skipped' };
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 V2 W10 a'), passed('G7 c'), skipped]), [
    { id: 'G7', isFault: true, reason: 'SPEC.md has no such promise' },
    { id: 'V9', isFault: true, reason: 'SPEC.md has no such promise' },
  ]);
});
