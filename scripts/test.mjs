// `pnpm test`: lint, types and all tests, with one line of totals at the end.
// `pnpm test PATH [options of its runner]`: only the test file at that path.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, run } from './run.mjs';
import { summarize, testsOf } from './test-results.mjs';

const REPORTS = ['packages/shared', 'apps/functions', 'apps/web', 'apps/measure', 'apps/e2e'].map(
  (workspace) => `${workspace}/.artifacts/results.json`,
);

const [path, ...options] = process.argv.slice(2);
if (path === undefined) await testEverything();
else testFile(path, options);

async function testEverything() {
  for (const report of REPORTS) rmSync(report, { force: true });
  const tasks = ['lint', 'lint:root', 'lint:unused', 'check-types', 'test:root', 'test'];
  const endEmulator = await startEmulator();
  const { status } = run('turbo', ['run', ...tasks, '--continue', '--output-logs=new-only']);
  await endEmulator();
  const reports = REPORTS.map(readReport).filter((report) => report !== undefined);
  const isDone = status === 0 && reports.length === REPORTS.length;
  const tests = reports.flatMap(testsOf);
  const { lines, isGreen } = summarize(isDone, readFileSync('SPEC.md', 'utf8'), tests);
  console.log(lines.join('\n'));
  process.exitCode = isGreen ? 0 : 1;
}

/**
 * Starts the Firestore emulator that all tests share, since it takes as long to start as ten tests. If there is none, or it does
 * not start, each workspace says so. Returns a function that ends it.
 */
async function startEmulator() {
  // Ctrl-C, which turbo gets, too, must not end this process before the emulator.
  process.on('SIGINT', () => {});
  // emulator.ts is imported only after run.mjs has checked Node, because an older Node cannot read TypeScript.
  const { openEmulator } = await import('../apps/functions/testing/emulator.ts');
  try {
    const { host, stop } = await openEmulator();
    if (host !== '') process.env.FIRESTORE_EMULATOR_HOST = host;
    return stop;
  } catch ({ message }) {
    console.error(message);
    return () => {};
  }
}

/** Returns a runner's report; `undefined` if the runner has not run, or has died before it had written the whole report. */
function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

function testFile(file, options) {
  // The path of a browser test may end with a line, as in `file.spec.ts:12`.
  if (!existsSync(file.replace(/:\d+$/, ''))) {
    console.error(`There is no file ${file}.`);
    process.exit(1);
  }
  const [kind, name, ...parts] = relative('.', file).split(sep);
  // Tests of the apps need the builds, except unit tests of a room, which is a folder of `src`.
  const isOfRoom = ['functions', 'web'].includes(name) && parts[0] === 'src' && parts.length > 2;
  if (kind === 'apps' && !isOfRoom) build('@goty/web', '@goty/functions');
  const [runner, verb] = name === 'e2e' ? ['playwright', 'test'] : ['vitest', 'run'];
  const { status } =
    kind === 'scripts'
      ? run('node', ['--test', ...options, file])
      : run(join('node_modules/.bin', runner), [verb, parts.join('/'), ...options], {
          cwd: join(kind, name),
        });
  process.exitCode = status ?? 1;
}
