import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityColumn, type EntityValue } from '../../../../../server/http/exchange/odata/entity-set.ts';
import {
  MOST_TERMS,
  filterOutcome,
  parseFilter,
  timeBoundsOf,
} from '../../../../../server/http/exchange/odata/parse-filter.ts';
import { Refusal } from '../../../../../shared/refusal.ts';
import { SEED } from '../../../../support/chance.ts';

interface Entry {
  readonly name: string | null;
  readonly plate: string;
  readonly speed: number | null;
  readonly on: boolean | null;
  readonly time: number | null;
}
const columns = [
  entityColumn<Entry>('name?', 'text', ({ name }) => name),
  entityColumn<Entry>('plate', 'text', ({ plate }) => plate),
  entityColumn<Entry>('speed?', 'number', ({ speed }) => speed),
  entityColumn<Entry>('on?', 'flag', ({ on }) => on),
  entityColumn<Entry>('time?', 'time', ({ time }) => time),
];
const entry: Entry = {
  name: "O'Neill",
  plate: 'AB 12',
  speed: 42.5,
  on: true,
  time: Date.parse('2026-05-24T12:00:00Z'),
};
const nothing: Entry = { name: null, plate: '', speed: null, on: null, time: null };
const outcome = (text: string, of = entry) => filterOutcome(parseFilter(text, columns), of);
const refusalOf = (text: string): string => {
  try {
    parseFilter(text, columns);
    return 'none';
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error);
  }
};

test('comparisons, texts and their combinations are as OData says', () => {
  for (const right of [
    "name eq 'O''Neill'",
    "contains(name,'Neill') and startswith(plate,'AB')",
    "endswith( tolower( plate ) , '12' )",
    "contains(name,'x') eq false",
    'speed gt 42 and speed lt 43 and 42.5 eq speed',
    'time ge 2026-05-24T14:00:00+02:00',
    'on',
    'on eq true',
    'not (speed le 42)',
    "not contains(name,'x')",
    // `and` binds closer than `or`.
    "plate eq 'AB 12' or plate eq 'x' and plate eq 'y'",
    'speed ne null',
    "plate in ('x','AB 12')",
    'not (speed in (1,2))',
  ])
    expect([right, outcome(right)]).toEqual([right, true]);
  expect(outcome("(plate eq 'AB 12' or plate eq 'x') and plate eq 'y'")).toBe(false);
});

test('a missing value equals only null, is in no order, and leaves a text open', () => {
  expect(outcome('speed eq null', nothing)).toBe(true);
  for (const wrong of ['speed eq 0', 'speed ge 0', 'speed lt 0', 'speed le null'])
    expect(outcome(wrong, nothing)).toBe(false);
  for (const open of ["contains(name,'')", "not contains(name,'')", 'on', 'not on', "on and plate eq ''"])
    expect([open, outcome(open, nothing)]).toEqual([open, null]);
  expect(outcome("on or plate eq ''", nothing)).toBe(true);
  expect(outcome("on and plate eq 'x'", nothing)).toBe(false);
});

test('a wrong filter is refused with the character where it is wrong', () => {
  const wrong: [string, string][] = [
    ['', '$filter: a property or a value must stand at character 1.'],
    ['speed', '$filter: eq, ne, gt, ge, lt, le or in must stand at character 6.'],
    ['speed gt', '$filter: a property or a value must stand at character 9.'],
    ['speed gt 1 2', '$filter: and, or, or the end must stand at character 12.'],
    ['(speed gt 1', '$filter: a closing parenthesis must stand at character 12.'],
    ['not speed gt 1', '$filter: a parenthesis around the comparison must stand at character 15.'],
    ["contains(speed,'1')", '$filter: a text must stand at character 10.'],
    ["contains(name 'x')", '$filter: a comma must stand at character 15.'],
    ["contains(name,'x') eq 1", '$filter: true or false must stand at character 23.'],
    ['speed in 1', '$filter: an opening parenthesis must stand at character 10.'],
    ['not speed in (1)', '$filter: a parenthesis around the comparison must stand at character 17.'],
    ["speed in (1,'2')", '$filter: values of different types are compared at character 1.'],
    ["name eq 'x", '$filter: a property or a value must stand at character 9.'],
    ["speed gt '1'", '$filter: values of different types are compared at character 1.'],
    ['on gt true', '$filter: values of different types are compared at character 1.'],
    ['time gt 2026-13-45T00:00:00Z', '$filter: a time must stand at character 9.'],
    ['time gt 2026-05-24', '$filter: a property or a value must stand at character 9.'],
    ['colour eq 1', '$filter: there is no property colour.'],
    ['constructor eq 1', '$filter: there is no property constructor.'],
    ['speed EQ 1', '$filter: eq, ne, gt, ge, lt, le or in must stand at character 7.'],
  ];
  for (const [text, says] of wrong) expect([text, refusalOf(text)]).toEqual([text, says]);
});

test('terms and nesting have limits', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'on').join(' or ');
  expect(refusalOf(many(MOST_TERMS))).toBe('none');
  const deep = '$filter has more than 500 terms, or is nested too deeply.';
  expect(refusalOf(many(MOST_TERMS + 1))).toBe(deep);
  expect(refusalOf(`${'('.repeat(20)}on${')'.repeat(20)}`)).toBe('none');
  for (const open of ['(', 'not ', 'not(']) expect(refusalOf(`${open.repeat(2_000)}on`), open).toBe(deep);
  expect(refusalOf(`${'tolower('.repeat(2_000)}name`)).toBe(deep);
});

test('bounds of a time hold for every entry that passes', () => {
  const bounds = (text: string) => timeBoundsOf(parseFilter(text, columns), 'time');
  const [a, b] = ['2026-05-24T00:00:00Z', '2026-05-25T00:00:00Z'];
  expect(bounds(`time ge ${a} and time lt ${b} and on`)).toEqual({ from: Date.parse(a), until: Date.parse(b) });
  expect(bounds(`time eq ${a}`)).toEqual({ from: Date.parse(a), until: Date.parse(a) });
  for (const none of [`time ge ${a} or on`, `not (time ge ${a})`, `time ne ${a}`, `${a} le time`, 'on'])
    expect(bounds(none)).toEqual({});
});

/** A condition as text, with the outcome that the standard gives it. */
interface Condition {
  readonly text: string;
  readonly outcome: (entry: Entry) => boolean | null;
}
const spaces = fc.constantFrom(' ', '  ', '\t');
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const order = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const ordered = (by: string, left: EntityValue, right: EntityValue): boolean => {
  if (by === 'eq' || by === 'ne') return (left === right) === (by === 'eq');
  if (left === null || right === null) return false;
  if (left === right) return by === 'ge' || by === 'le';
  return left < right === (by === 'lt' || by === 'le');
};
const words = fc.constantFrom('', 'a', 'A', "'", "o'", ')', ' and ', '😀', 'ab12');
const comparisons: fc.Arbitrary<Condition>[] = [
  fc.tuple(order, words, spaces).map(([by, word, gap]) => ({
    text: `name${gap}${by}${gap}${quote(word)}`,
    outcome: ({ name }) => ordered(by, name, word),
  })),
  fc.tuple(order, fc.integer({ min: -3, max: 3 })).map(([by, number]) => ({
    text: `speed ${by} ${number}`,
    outcome: ({ speed }) => ordered(by, speed, number),
  })),
  fc.tuple(order, fc.integer({ min: 0, max: 2e12 })).map(([by, time]) => ({
    text: `time ${by} ${new Date(time).toISOString()}`,
    outcome: (one) => ordered(by, one.time, time),
  })),
  fc.tuple(fc.constantFrom('contains', 'startswith', 'endswith'), words).map(([by, word]) => ({
    text: `${by}(name,${quote(word)})`,
    outcome: ({ name }) => {
      if (name === null) return null;
      const at = by === 'endswith' ? name.lastIndexOf(word) : name.indexOf(word);
      if (by === 'contains') return at >= 0;
      return at >= 0 && at === (by === 'startswith' ? 0 : name.length - word.length);
    },
  })),
  fc.constant({ text: 'on', outcome: ({ on }) => on }),
  fc.constantFrom('eq', 'ne').map((by) => ({ text: `on ${by} null`, outcome: ({ on }) => ordered(by, on, null) })),
];
const conditions = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    ...comparisons,
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]): Condition => ({
      text: `(${a.text}) and (${b.text})`,
      outcome: (one) => {
        const both = [a.outcome(one), b.outcome(one)];
        return both.includes(false) ? false : both.includes(null) ? null : true;
      },
    })),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]): Condition => ({
      text: `(${a.text}) or (${b.text})`,
      outcome: (one) => {
        const both = [a.outcome(one), b.outcome(one)];
        return both.includes(true) ? true : both.includes(null) ? null : false;
      },
    })),
    tie('condition').map(({ text, outcome: inner }): Condition => ({
      text: `not (${text})`,
      outcome: (one) => {
        const found = inner(one);
        return found === null ? null : !found;
      },
    })),
  ),
})).condition;
const entries: fc.Arbitrary<Entry> = fc.record({
  name: fc.option(words),
  plate: words,
  speed: fc.option(fc.integer({ min: -3, max: 3 })),
  on: fc.option(fc.boolean()),
  time: fc.option(fc.integer({ min: 0, max: 2e12 })),
});

test(`any condition has the outcome of the standard (WAYPOST_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(conditions, entries, ({ text, outcome: expected }, one) => {
      expect(filterOutcome(parseFilter(text, columns), one)).toBe(expected(one));
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

test(`any text is read or refused in words (WAYPOST_SEED=${SEED})`, () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        ',',
        "'",
        ' ',
        'and',
        'or',
        'not',
        'eq',
        'gt',
        'name',
        'on',
        'null',
        'true',
        'contains(',
      ),
      fc.constantFrom("'x'", '1', '-', '1e999', '2026-01-01T00:00:00Z', 'tolower(', '%', '\u0000', '__proto__'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(refusalOf(parts.join(''))).toMatch(/^none$|^\$filter/);
    }),
    { seed: SEED, numRuns: 3_000 },
  );
});
