import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { countTests, readTests, unprovenPromises } from './test-results.mjs';

/** Reads results that a test runner could have written. */
function read(t, results) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'results.json');
  writeFileSync(file, typeof results === 'string' ? results : JSON.stringify(results));
  return readTests('apps/x', file);
}

const vitest = (status, ...assertionResults) => ({
  testResults: [{ name: 'a.test.ts', status, assertionResults }],
});

test('tests of Vitest: only a pass is a pass, and what did not run is skipped', (t) => {
  const statuses = ['passed', 'failed', 'skipped', 'pending', 'todo'];
  const tests = statuses.map((status) => ({ title: status, status }));
  assert.deepEqual(read(t, vitest('failed', ...tests)), [
    { title: 'passed', status: 'passed' },
    { title: 'failed', status: 'failed' },
    { title: 'skipped', status: 'skipped' },
    { title: 'pending', status: 'skipped' },
    { title: 'todo', status: 'skipped' },
  ]);
});

test('a file of Vitest that fails without a failed test is one', (t) => {
  const missing = { title: 'a.test.ts', status: 'failed', isMissing: true };
  assert.deepEqual(read(t, vitest('failed')), [missing]);
  const skipped = { title: 'V1 x', status: 'skipped' };
  assert.deepEqual(read(t, vitest('failed', skipped)), [skipped, missing]);
  assert.deepEqual(read(t, vitest('passed', skipped)), [skipped]);
});

test('tests of Playwright: in suites within suites, and a flaky one has failed', (t) => {
  const spec = (title, status) => ({ title, tests: [{ status }] });
  const results = {
    suites: [
      {
        specs: [spec('a', 'expected'), spec('b', 'skipped')],
        suites: [{ specs: [spec('c', 'flaky'), spec('d', 'unexpected')] }],
      },
    ],
    errors: [{ message: 'no browser' }],
  };
  assert.deepEqual(read(t, results), [
    { title: 'no browser', status: 'failed' },
    { title: 'a', status: 'passed' },
    { title: 'b', status: 'skipped' },
    { title: 'c', status: 'failed' },
    { title: 'd', status: 'failed' },
  ]);
});

test('results that are missing, cut off or of another kind are one failed test', (t) => {
  t.mock.method(console, 'error', () => {});
  const failed = [{ title: 'apps/x', status: 'failed', isMissing: true }];
  assert.deepEqual(readTests('apps/x', join(tmpdir(), 'goty-does-not-exist.json')), failed);
  for (const results of ['', '{"testResults": [', '[]', '{}', 'null']) {
    assert.deepEqual(read(t, results), failed);
  }
});

test('tests are counted by status', () => {
  const tests = ['passed', 'failed', 'passed', 'skipped'].map((status) => ({ title: 'x', status }));
  assert.deepEqual(countTests(tests), { passed: 2, failed: 1, skipped: 1 });
  assert.deepEqual(countTests([]), { passed: 0, failed: 0, skipped: 0 });
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

test('a promise whose tests were all skipped is no fault, but told', () => {
  const skipped = { title: 'V2 b', status: 'skipped' };
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 W10 a'), skipped]), [
    { id: 'V2', isFault: false, reason: 'its tests were skipped' },
  ]);
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 W10 a'), skipped, passed('V2 c')]), []);
});

test('a test of a promise that SPEC.md does not have is a fault, also if it was skipped', () => {
  const skipped = { title: 'V9 b', status: 'skipped' };
  assert.deepEqual(unprovenPromises(SPEC, [passed('V1 V2 W10 a'), passed('G7 c'), skipped]), [
    { id: 'G7', isFault: true, reason: 'SPEC.md has no such promise' },
    { id: 'V9', isFault: true, reason: 'SPEC.md has no such promise' },
  ]);
});
