// `pnpm test`: everything that has to hold, and one line with the sum at the end.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import './check-node.mjs';

/** Where each workspace's runner leaves its results, and how to count them. */
const RESULTS = {
  'packages/shared': countVitest,
  'apps/functions': countVitest,
  'apps/web': countVitest,
  'apps/e2e': countPlaywright,
};

for (const workspace of Object.keys(RESULTS)) rmSync(resultsOf(workspace), { force: true });

const run = spawnSync(
  'turbo',
  ['run', 'lint', 'lint:root', 'check-types', 'test', '--continue', '--output-logs=new-only'],
  {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);

const total = { passed: 0, failed: 0, skipped: 0 };
for (const [workspace, count] of Object.entries(RESULTS)) {
  const { passed, failed, skipped } = countResults(workspace, count);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
if (run.status !== 0 && total.failed === 0) {
  console.error('Lint, types or a build failed: see above.');
  total.failed = 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

function resultsOf(workspace) {
  return `${workspace}/.artifacts/results.json`;
}

function countResults(workspace, count) {
  try {
    return count(JSON.parse(readFileSync(resultsOf(workspace), 'utf8')));
  } catch {
    console.error(`The tests of ${workspace} did not run to their end: see above.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function countVitest({
  numPassedTests,
  numFailedTests,
  numFailedTestSuites,
  numPendingTests,
  success,
}) {
  // A file that cannot be read has no tests, and fails all the same.
  const failed = success ? 0 : Math.max(numFailedTests, numFailedTestSuites, 1);
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}
