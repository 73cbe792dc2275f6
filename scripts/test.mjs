// `pnpm test`: lint, types and all tests, with one line of totals at the end.
// `pnpm test PATH [options of its runner]`: only the test file at that path.
import { readFileSync, rmSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { build, run } from './run.mjs';
import {
  countTests,
  failedTests,
  readTests,
  slowestFiles,
  unprovenPromises,
} from './test-results.mjs';

const WORKSPACES = ['packages/shared', 'apps/functions', 'apps/web', 'apps/measure', 'apps/e2e'];
/** What the test runner of a workspace writes. */
const resultsOf = (workspace) => `${workspace}/.artifacts/results.json`;

const [path, ...options] = process.argv.slice(2);
if (path === undefined) testEverything();
else testFile(path, options);

function testEverything() {
  for (const workspace of WORKSPACES) rmSync(resultsOf(workspace), { force: true });
  const tasks = ['lint', 'lint:root', 'lint:unused', 'check-types', 'test:root', 'test'];
  const { status } = run('turbo', ['run', ...tasks, '--continue', '--output-logs=new-only']);

  const tests = WORKSPACES.flatMap((workspace) => readTests(workspace, resultsOf(workspace)));
  // Tests that did not run prove nothing, and are told already.
  const isComplete = tests.every(({ isMissing }) => !isMissing);
  const promises = isComplete ? unprovenPromises(readFileSync('SPEC.md', 'utf8'), tests) : [];
  const total = countTests(tests);
  total.failed += promises.filter(({ isFault }) => isFault).length;
  if (status !== 0 && total.failed === 0) {
    console.error('Lint, types, a build or a test runner failed: see above.');
    total.failed = 1;
  }
  const lines = [
    'The ten files that took longest:',
    ...slowestFiles(tests, 10),
    ...promises.map(({ id, reason }) => `${id} is not proven by this run: ${reason}.`),
    ...failedTests(tests),
    `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
  ];
  console.log(lines.join('\n'));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

function testFile(given, options) {
  const [kind, name, ...rest] = relative('.', given).split(sep);
  // Browser tests, and those of the builds themselves, need them.
  if (kind === 'apps') build('@goty/web', '@goty/functions');
  const runner = name === 'e2e' ? ['playwright', 'test'] : ['vitest', 'run'];
  const file = rest.join('/');
  const { status } = run('pnpm', ['--dir', `${kind}/${name}`, 'exec', ...runner, file, ...options]);
  process.exitCode = status ?? 1;
}
