import { expect, test } from 'vitest';
import { exampleOf } from '../../../shared/custom-fields/pattern-example.ts';
import { matchesPattern } from '../../../shared/custom-fields/patterns.ts';
import { Chance, SEED } from '../../support/chance.ts';

test.each([
  ['^\\+?[0-9 ()-]{5,20}$', '12345'],
  ['^[A-Z]{2}\\d{3}$', 'AB123'],
  ['^[A-Z]+$', 'ABC'],
  ['^(?:red|green)$', 'red'],
  ['^\\d{2}:\\d{2}$', '12:34'],
  ['^№ ?\\d+/[а-я]$', '№123/а'],
  ['^8\\(\\d{3}\\)$', '8(123)'],
  ['[0-9]{4,}', '1234'],
])('%s is said as %s', (pattern, example) => {
  expect(exampleOf(pattern)).toBe(example);
  expect(matchesPattern(pattern, example)).toBe(true);
});

test.each(['', '.*', '^a*$', '^\\p{Lu}+$', '^[^x]{3}$', '\\bword\\b', '(?i)abc', '^[[:alpha:]]+$', '^a{200}$'])(
  '%s has no example, rather than a wrong one',
  (pattern) => {
    expect(exampleOf(pattern)).toBe(undefined);
  },
);

test(`whatever a pattern is made of, its example fits it (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  const PARTS = ['a', '\\d', '[A-F0-9]', '(?:x|yz)', '\\.', '[а-я-]', ' ', '(q)', '\\w', '[\\d.]'];
  const REPEATS = ['', '', '?', '*', '+', '{2}', '{1,3}', '{2,}'];
  let said = 0;
  for (let round = 0; round < 500; round++) {
    const pattern = `^${Array.from({ length: 1 + chance.int(5) }, () => chance.of(PARTS) + chance.of(REPEATS)).join('')}$`;
    const example = exampleOf(pattern);
    if (example === undefined) continue;
    said++;
    expect([pattern, example, matchesPattern(pattern, example)]).toEqual([pattern, example, true]);
  }
  expect(said).toBeGreaterThan(250);
});
