import { expect, test } from 'vitest';
import { isWorthAnotherRun, mergeOutcomes, outcomesOf } from '../../../.ci/outcomes.mjs';

/** A report of the test runner: `file` to its tests with their outcomes. */
const report = (files: Record<string, Record<string, string>>) => ({
  testResults: Object.entries(files).map(([name, tests]) => ({
    name: `/house/test/${name}`,
    status: Object.values(tests).some((status) => status === 'failed' || status === 'unreached') ? 'failed' : 'passed',
    message: `message of ${name}`,
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status: status === 'unreached' ? 'skipped' : status,
      failureMessages: status === 'failed' ? [`message of ${fullName}`] : [],
    })),
  })),
});
const read = (files: Record<string, Record<string, string>>) => outcomesOf(report(files), '/house');
const names = (outcomes: readonly { readonly file: string; readonly test?: string }[]) =>
  outcomes.map(({ file, test: name }) => `${file} ${name ?? '(file)'}`).sort();

test('what fails twice has failed, what passes the second time has passed and is named', () => {
  const first = read({
    'a.test.ts': { 'steady': 'passed', 'broken': 'failed', 'shaky': 'failed', 'not here': 'pending' },
  });
  const second = read({
    'a.test.ts': { 'steady': 'passed', 'broken': 'failed', 'shaky': 'passed', 'not here': 'pending' },
  });
  const { merged, depending } = mergeOutcomes(first, second);
  expect(names(merged.passed)).toEqual(['test/a.test.ts shaky', 'test/a.test.ts steady']);
  expect(names(merged.failed)).toEqual(['test/a.test.ts broken']);
  expect(names(merged.skipped)).toEqual(['test/a.test.ts not here']);
  expect(depending).toEqual([{ file: 'test/a.test.ts', test: 'shaky', message: 'message of shaky' }]);
});

test('a failure stays one where nothing runs again, or the second run gives no report', () => {
  const first = read({ 'a.test.ts': { shaky: 'failed' } });
  const { merged, depending } = mergeOutcomes(first, outcomesOf(undefined, '/house'));
  expect(names(merged.failed)).toEqual(['test/a.test.ts shaky']);
  expect(depending).toEqual([]);
});

test('what passed first and fails in the second run alone does not fail the run', () => {
  const first = read({ 'a.test.ts': { shaky: 'failed', steady: 'passed' } });
  const { merged } = mergeOutcomes(first, read({ 'a.test.ts': { shaky: 'passed', steady: 'failed' } }));
  expect(names(merged.failed)).toEqual([]);
  expect(names(merged.passed)).toEqual(['test/a.test.ts shaky', 'test/a.test.ts steady']);
});

test('a file that fails in a hook counts by its tests when they pass, and fails as a file else', () => {
  const first = read({ 'a.test.ts': { one: 'unreached', two: 'unreached' } });
  expect(names(first.failed)).toEqual(['test/a.test.ts (file)']);
  const passing = mergeOutcomes(first, read({ 'a.test.ts': { one: 'passed', two: 'passed' } }));
  expect(names(passing.merged.passed)).toEqual(['test/a.test.ts one', 'test/a.test.ts two']);
  expect(names(passing.merged.failed)).toEqual([]);
  expect(names(passing.depending)).toEqual(['test/a.test.ts (file)']);
  const failing = mergeOutcomes(first, read({ 'a.test.ts': { one: 'passed', two: 'failed' } }));
  expect(names(failing.merged.failed)).toEqual(['test/a.test.ts (file)']);
});

test('five files run again, six do not', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => `${index}.test.ts`);
  expect(isWorthAnotherRun([])).toBe(false);
  expect(isWorthAnotherRun([...files(5), ...files(5)])).toBe(true);
  expect(isWorthAnotherRun(files(6))).toBe(false);
});
