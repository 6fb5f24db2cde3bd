// What a run of the test runner says of each test, and what a second run of the files that failed changes.
import { relative } from 'node:path';

/** Where many files fail, something is broken, and a second run only takes time. */
const MOST_FILES_AGAIN = 5;

/** Whether files that failed run again. They are named once for each failure. */
export function isWorthAnotherRun(files) {
  const distinct = new Set(files).size;
  return distinct > 0 && distinct <= MOST_FILES_AGAIN;
}

/**
 * Reads a report of Vitest (`--reporter=json`). An outcome without `test` is of a file that failed outside of its
 * tests: in a hook, or while it was loaded. Then its tests, which never ran, are left out.
 */
export function outcomesOf(result, root) {
  const outcomes = { passed: [], failed: [], skipped: [] };
  for (const { name, status, message, assertionResults } of result?.testResults ?? []) {
    const file = relative(root, name);
    const failsOutside = status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
    if (failsOutside) outcomes.failed.push({ file, message });
    for (const test of assertionResults) {
      const kind = test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped';
      if (failsOutside && kind === 'skipped') continue;
      outcomes[kind].push({ file, test: test.fullName, message: (test.failureMessages ?? []).join('\n') });
    }
  }
  return outcomes;
}

/**
 * Takes what failed in the first run and passed in the second as passed, and lists it as `depending` on chance. A
 * file that failed outside of its tests passes when all of its tests do.
 */
export function mergeOutcomes(first, second) {
  const same = (a) => (b) => a.file === b.file && a.test === b.test;
  const fileFails = ({ file }) => second.failed.some((other) => other.file === file);
  const passesNow = (failure) =>
    failure.test === undefined
      ? !fileFails(failure) && second.passed.some(({ file }) => file === failure.file)
      : second.passed.some(same(failure));
  const depending = first.failed.filter(passesNow);
  const ofFiles = new Set(depending.filter(({ test }) => test === undefined).map(({ file }) => file));
  const passedNow = second.passed.filter((outcome) => ofFiles.has(outcome.file) || depending.some(same(outcome)));
  return {
    depending,
    merged: {
      passed: [...first.passed.filter((outcome) => !passedNow.some(same(outcome))), ...passedNow],
      failed: first.failed.filter((failure) => !passesNow(failure)),
      skipped: [...first.skipped, ...second.skipped.filter(({ file }) => ofFiles.has(file))],
    },
  };
}
