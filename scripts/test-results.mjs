import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/**
 * The tests in a results file as `{title, status, file, ms, command}`. `status` is `passed`, `failed`
 * or `skipped`, `file` is relative to the project's folder, and `command` runs the test alone. A test
 * file that could not be run, or unreadable results, count as one failed test with `isMissing`.
 *
 * @param workspace its path
 * @param results the JSON report of Vitest or Playwright
 */
export function readTests(workspace, results) {
  try {
    const report = JSON.parse(readFileSync(results, 'utf8'));
    return 'suites' in report ? playwrightTests(workspace, report) : vitestTests(report);
  } catch {
    console.error(`The tests of ${workspace} did not finish: see above.`);
    return [missing(workspace, workspace)];
  }
}

function missing(title, file) {
  const command = 'npx pnpm@12 test';
  return { title, status: 'failed', file, ms: 0, command, isMissing: true };
}

function vitestTests({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name).replaceAll(sep, '/');
    const tests = assertionResults.map((test) => ({
      title: test.title,
      status: ['passed', 'failed'].includes(test.status) ? test.status : 'skipped',
      file,
      ms: test.duration ?? 0,
      command: `npx pnpm@12 test ${file} -t ${quote(test.title)}`,
    }));
    // It could not be loaded, or a hook of it failed: its tests did not run, or count as skipped.
    const isBroken = status === 'failed' && tests.every((test) => test.status !== 'failed');
    return isBroken ? [...tests, missing(file, file)] : tests;
  });
}

/** Quotes a title for a shell, as the regular expression that only it matches. */
function quote(title) {
  return `'^.*${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll("'", '.')}$'`;
}

function playwrightTests(workspace, { suites, errors }) {
  const status = { expected: 'passed', skipped: 'skipped' };
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  return [
    ...errors.map(({ message }) => missing(message, workspace)),
    ...suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) =>
      tests.map((test) => ({
        title,
        // A flaky test counts as failed.
        status: status[test.status] ?? 'failed',
        file: `${workspace}/src/${file}`,
        ms: test.results.reduce((sum, { duration }) => sum + duration, 0),
        command: `npx pnpm@12 test ${workspace}/src/${file}:${line} --project=${test.projectName}`,
      })),
    ),
  ];
}

/** The number of tests by status. */
export function countTests(tests) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of tests) total[status] += 1;
  return total;
}

/** The files that took longest, as lines with their seconds. */
export function slowestFiles(tests, count) {
  const times = new Map();
  for (const { file, ms } of tests) times.set(file, (times.get(file) ?? 0) + ms);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
}

/** What to read after a red run: each failed test with its file and the command that runs it alone. */
export function failedTests(tests) {
  return tests
    .filter(({ status }) => status === 'failed')
    .flatMap(({ title, file, command }) => [`✘ ${title}`, `  in ${file}`, `  ${command}`]);
}

/**
 * The promises that no test of this run has proven, and the ids in titles that are not promises, as
 * `{id, isFault, reason}`. A promise whose tests were skipped is not a fault. One without a title is,
 * also where a `test.each` over nothing left none: tests that cannot run have to be skipped by name.
 *
 * @param spec the text of SPEC.md
 * @param tests `{title, status}`; titles begin with the ids of the promises that they prove
 */
export function unprovenPromises(spec, tests) {
  const promised = new Set([...spec.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => id));
  const proven = idsOf(tests.filter(({ status }) => status !== 'skipped'));
  const skipped = idsOf(tests.filter(({ status }) => status === 'skipped'));
  return [
    ...[...promised.difference(proven)].map((id) =>
      skipped.has(id)
        ? { id, isFault: false, reason: 'its tests were skipped' }
        : { id, isFault: true, reason: 'no test has it in its title' },
    ),
    ...[...proven.union(skipped).difference(promised)].map((id) => ({
      id,
      isFault: true,
      reason: 'SPEC.md has no such promise',
    })),
  ];
}

function idsOf(tests) {
  return new Set(
    tests.flatMap(({ title }) => /^([A-Z]\d+ )+/.exec(title)?.[0].trim().split(' ') ?? []),
  );
}
