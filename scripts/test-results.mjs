import { relative } from 'node:path';

/** What the words for a test's outcome mean, as Vitest and Playwright report it. With any other word, the test did not run. */
const STATUS = { passed: 'passed', expected: 'passed', failed: 'failed', unexpected: 'failed' };

/** Returns the tests in a JSON report of Vitest or Playwright as `{title, status, file, ms}`. */
export function testsOf(report) {
  const vitest = (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      ...test,
      file: relative('.', name),
      ms: test.duration ?? 0,
    })),
  );
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  const playwright = specsOf(report).flatMap(({ title, file, tests }) =>
    tests.map(({ status, results }) => {
      const ms = results.reduce((sum, { duration }) => sum + duration, 0);
      // A test that passes only when it is repeated has failed.
      return { title, status: status === 'flaky' ? 'failed' : status, file, ms };
    }),
  );
  return [...vitest, ...playwright].map(({ title, status, file, ms }) => {
    return { title, status: STATUS[status] ?? 'skipped', file, ms };
  });
}

/**
 * Returns what a run prints at its end, and whether nothing has failed.
 *
 * @param isDone whether lint, types, builds and test runners have ended well, and every runner wrote its report
 * @param spec the text of SPEC.md
 * @param tests as `testsOf` returns them
 */
export function summarize(isDone, spec, tests) {
  const of = (wanted) => tests.filter(({ status }) => status === wanted);
  // After a run that did not end well, promises would seem to have no test.
  const promises = isDone ? unproven(spec, tests) : [];
  const faults = of('failed').length + promises.filter(({ isFault }) => isFault).length;
  const failed = isDone ? faults : Math.max(1, faults);
  const lines = [
    'The ten files that took longest:',
    ...slowestFiles(tests).slice(0, 10),
    ...promises.map(({ id, reason }) => `${id} is not proven by this run: ${reason}.`),
    ...of('failed').map(({ title, file }) => `✘ ${title} (${file})`),
    ...(isDone ? [] : ['Lint, types, a build or a test runner failed: see above.']),
    `${of('passed').length} passed, ${failed} failed, ${of('skipped').length} skipped`,
  ];
  return { lines, isGreen: failed === 0 };
}

function slowestFiles(tests) {
  return Object.entries(Object.groupBy(tests, ({ file }) => file))
    .map(([file, ofFile]) => ({ file, ms: ofFile.reduce((sum, { ms }) => sum + ms, 0) }))
    .sort((a, b) => b.ms - a.ms)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
}

/**
 * A title begins with the ids of the promises that its test proves. It is a fault if a promise is in no title, or an id in a
 * title is no promise. It is no fault if all tests of a promise were skipped.
 */
function unproven(spec, tests) {
  const promised = new Set([...spec.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => id));
  const idsOf = (some) =>
    new Set(some.flatMap(({ title }) => /^([A-Z]\d+ )+/.exec(title)?.[0].trim().split(' ') ?? []));
  const named = idsOf(tests);
  const skipped = named.difference(idsOf(tests.filter(({ status }) => status !== 'skipped')));
  const describe = (ids, isFault, reason) => [...ids].map((id) => ({ id, isFault, reason }));
  return [
    ...describe(promised.difference(named), true, 'no test has it in its title'),
    ...describe(named.difference(promised), true, 'SPEC.md has no such promise'),
    ...describe(promised.intersection(skipped), false, 'its tests were skipped'),
  ];
}
