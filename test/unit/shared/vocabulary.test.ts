import { expect, test } from 'vitest';
import { Vocabulary } from '../../../shared/text/vocabulary.ts';
import { SEED, numbers } from '../../support/chance.ts';

/**
 * The definition, letter by letter: optimal string alignment between all of `asked` and the whole of `term`.
 */
function distance(asked: string, term: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= term.length; i++) {
    rows.push([]);
    for (let j = 0; j <= asked.length; j++) {
      if (i === 0 || j === 0) {
        rows[i]!.push(i + j);
        continue;
      }
      let least = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (term[i - 1] === asked[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && term[i - 1] === asked[j - 2] && term[i - 2] === asked[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]!.push(least);
    }
  }
  return rows[term.length]![asked.length]!;
}

test('finds exactly the words within so many edits, and those that begin so', () => {
  const chance = numbers(SEED);
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(chance() * 8) }, () => 'abc'[Math.floor(chance() * 3)]).join('');
  for (let round = 0; round < 300; round++) {
    const terms = [...new Set(Array.from({ length: 60 }, word))].sort();
    const vocabulary = new Vocabulary(terms);
    const asked = word(),
      most = 1 + Math.floor(chance() * 2);
    const expected = terms.flatMap((term, index) => {
      const whole = distance(asked, term);
      if (whole <= most) return [{ index, edits: whole, beginning: false }];
      const begun = Math.min(...Array.from({ length: term.length }, (_, i) => distance(asked, term.slice(0, i + 1))));
      return begun <= most ? [{ index, edits: begun, beginning: true }] : [];
    });
    expect(
      vocabulary.similar(asked, most, () => false),
      `${asked} ${most} in ${terms.join(' ')}`,
    ).toEqual(expected);
  }
});

test('words with a beginning are found at either end of the list', () => {
  const vocabulary = new Vocabulary(['a', 'ab', 'abc', 'b', 'zz']);
  expect(vocabulary.beginning('ab', 9)).toEqual([1, 2]);
  expect(vocabulary.beginning('zz', 9)).toEqual([4]);
  expect(vocabulary.beginning('zzz', 9)).toEqual([]);
  expect(vocabulary.beginning('', 3)).toEqual([0, 1, 2]);
  expect(new Vocabulary([]).similar('abc', 2, () => false)).toEqual([]);
});

test('words longer than the table are compared by their beginning', () => {
  const vocabulary = new Vocabulary(['a'.repeat(300), 'b'.repeat(41)]);
  expect(vocabulary.similar('a'.repeat(290), 1, () => false)).toMatchObject([{ index: 0, edits: 0 }]);
  expect(vocabulary.similar('b'.repeat(39), 1, () => false)).toMatchObject([{ index: 1 }]);
});
