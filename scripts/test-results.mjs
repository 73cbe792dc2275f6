import { readFileSync } from 'node:fs';

/**
 * The tests in a results file as `{title, status}`, where status is `passed`, `failed` or
 * `skipped`. A test file that could not be run, or unreadable results, count as one failed test.
 *
 * @param workspace its path, for messages
 * @param file the JSON report of Vitest or Playwright
 */
export function readTests(workspace, file) {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    return 'suites' in results ? playwrightTests(results) : vitestTests(results);
  } catch {
    console.error(`The tests of ${workspace} did not finish: see above.`);
    return [{ title: workspace, status: 'failed', isMissing: true }];
  }
}

function vitestTests({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      title: test.title,
      status: ['passed', 'failed'].includes(test.status) ? test.status : 'skipped',
    }));
    // It could not be loaded, or a hook of it failed: its tests did not run, or count as skipped.
    const isBroken = status === 'failed' && tests.every((test) => test.status !== 'failed');
    return isBroken ? [...tests, { title: name, status: 'failed', isMissing: true }] : tests;
  });
}

function playwrightTests({ suites, errors }) {
  const status = { expected: 'passed', skipped: 'skipped' };
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  return [
    ...errors.map(({ message }) => ({ title: message, status: 'failed' })),
    ...suites.flatMap(specsOf).flatMap(({ title, tests }) =>
      // A flaky test counts as failed.
      tests.map((test) => ({ title, status: status[test.status] ?? 'failed' })),
    ),
  ];
}

/** The number of tests by status. */
export function countTests(tests) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of tests) total[status] += 1;
  return total;
}

/**
 * The promises that no test of this run has proven, and the ids in titles that are not promises, as
 * `{id, isFault, reason}`. A promise whose tests were skipped is not a fault.
 *
 * @param spec the text of SPEC.md
 * @param tests `{title, status}`; titles begin with the ids of the promises that they prove
 */
export function unprovenPromises(spec, tests) {
  const promised = new Set([...spec.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => id));
  const proven = idsOf(tests.filter(({ status }) => status !== 'skipped'));
  const skipped = idsOf(tests.filter(({ status }) => status === 'skipped'));
  return [
    ...[...promised]
      .filter((id) => !proven.has(id))
      .map((id) =>
        skipped.has(id)
          ? { id, isFault: false, reason: 'its tests were skipped' }
          : { id, isFault: true, reason: 'no test has it in its title' },
      ),
    ...[...proven, ...skipped]
      .filter((id) => !promised.has(id))
      .map((id) => ({ id, isFault: true, reason: 'SPEC.md has no such promise' })),
  ];
}

function idsOf(tests) {
  return new Set(
    tests.flatMap(({ title }) => /^([A-Z]\d+ )+/.exec(title)?.[0].trim().split(' ') ?? []),
  );
}
