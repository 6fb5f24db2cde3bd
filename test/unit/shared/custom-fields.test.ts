import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  byOrder,
  checkDefinition,
  defaultOf,
  isAvailable,
  readValue,
  slugOf,
  type FieldRules,
} from '../../../shared/custom-fields/custom-fields.ts';

const field = (format: FieldRules['format'], rules: Partial<FieldRules> = {}): FieldRules => ({
  name: 'Floor',
  format,
  possibleValues: format === 'list' ? ['low', 'high'] : null,
  regexp: null,
  minLength: null,
  maxLength: null,
  required: false,
  defaultValue: null,
  ...rules,
});

test.each<[string, FieldRules, RegExp]>([
  [
    'rule 1: possible values of another format',
    field('string', { possibleValues: ['a'] }),
    /possible_values belong to the format list/,
  ],
  ['rule 2: a pattern of a date', field('date', { regexp: '.' }), /regexp belongs/],
  ['rule 2: a pattern of a flag', field('bool', { regexp: '.' }), /regexp belongs/],
  ['rule 3: a length of a number', field('int', { minLength: 1 }), /min_length belongs/],
  ['rule 3: a length of a list', field('list', { maxLength: 1 }), /max_length belongs/],
  ['rule 4: a default of a geometry', field('geometry', { defaultValue: '{}' }), /default_value cannot/],
  ['rule 5: a default that is no flag', field('bool', { defaultValue: 'maybe' }), /default_value .*true or false/],
  ['rule 5: a default that is no whole number', field('int', { defaultValue: '1.5' }), /default_value .*whole number/],
  ['rule 5: a default that is no number', field('float', { defaultValue: 'x' }), /default_value .*number/],
  ['rule 5: a default that is no date', field('date', { defaultValue: '2026-02-30' }), /default_value .*date/],
  [
    'rule 5: a default that does not match',
    field('string', { defaultValue: 'abc', regexp: '^\\d+$' }),
    /default_value .*does not match the pattern of this field/,
  ],
  [
    'rule 5: a default that is too short',
    field('text', { defaultValue: 'ab', minLength: 3 }),
    /default_value .*at least 3/,
  ],
  [
    'rule 5: a default that is too long',
    field('text', { defaultValue: 'abcd', maxLength: 3 }),
    /default_value .*at most 3/,
  ],
  [
    'rule 5: a default that is not in the list',
    field('list', { defaultValue: 'middle' }),
    /default_value .*one of: low, high/,
  ],
  ['a list without values', field('list', { possibleValues: null }), /possible_values are required/],
  ['a list that names a value twice', field('list', { possibleValues: ['a', 'a'] }), /"a" twice/],
  ['lengths the wrong way round', field('string', { minLength: 5, maxLength: 4 }), /min_length \(5\)/],
  ['a pattern that is none', field('string', { regexp: '(' }), /regexp/],
  ['a pattern that cannot be done in linear time', field('string', { regexp: '(a)\\1' }), /regexp/],
  ['no name', field('string', { name: ' ' }), /name is required/],
])('%s is refused', (_case, definition, message) => {
  expect(() => checkDefinition(definition)).toThrow(message);
});

test('a default is stored in the form of its format', () => {
  expect(checkDefinition(field('bool', { defaultValue: 'true' })).defaultValue).toBe('t');
  expect(checkDefinition(field('date', { defaultValue: '31.03.2026' })).defaultValue).toBe('2026-03-31');
  expect(checkDefinition(field('float', { defaultValue: '1.50' })).defaultValue).toBe('1.5');
  expect(defaultOf(field('bool', { defaultValue: 'f' }))).toBe(false);
  expect(defaultOf(field('int', { defaultValue: '7', required: true }))).toBe(7);
});

test.each<[FieldRules['format'], unknown, unknown]>([
  ['int', '42', 42],
  ['int', -7, -7],
  ['float', '2.5', 2.5],
  ['float', 3, 3],
  ['bool', 't', true],
  ['bool', 'false', false],
  ['bool', 1, true],
  ['bool', 0, false],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '01.12.2026', '2026-12-01'],
  ['list', 'low', 'low'],
  ['string', 'Ж', 'Ж'],
  ['text', 'a\nb', 'a\nb'],
  ['geometry', { type: 'Point', coordinates: [1, 2] }, { type: 'Point', coordinates: [1, 2] }],
  [
    'geometry',
    '{"type":"LineString","coordinates":[[1,2],[3,4]]}',
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  ['int', '', null],
  ['text', null, null],
  ['geometry', undefined, null],
])('%s: %j is stored as %j', (format, given, stored) => {
  expect(readValue(field(format), given)).toEqual(stored);
});

test.each<[FieldRules['format'], unknown]>([
  ['int', '1e3'],
  ['int', 1.5],
  ['int', '12345678901234567890'],
  ['int', true],
  ['int', [1]],
  ['int', NaN],
  ['float', 'NaN'],
  ['float', Infinity],
  ['float', '0x10'],
  ['float', {}],
  ['bool', 'yes'],
  ['bool', 2],
  ['bool', []],
  ['date', '2026-02-29'],
  ['date', '31.04.2026'],
  ['date', '2026-13-01'],
  ['date', 20260101],
  ['date', '1.2.2026'],
  ['list', 'LOW'],
  ['list', 0],
  ['list', ['low']],
  ['string', 'two\nlines'],
  ['string', 7],
  ['text', {}],
  ['geometry', { type: 'Point', coordinates: [181, 0] }],
  [
    'geometry',
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ],
    },
  ],
  ['geometry', { type: 'LineString', coordinates: [[0, 0]] }],
  ['geometry', '{'],
  ['geometry', { type: 'Circle' }],
  ['geometry', []],
])('%s: %j is refused, and the field is named', (format, given) => {
  expect(() => readValue(field(format), given)).toThrow(/^Floor /);
});

test('a field that is required needs a value', () => {
  expect(() => readValue(field('text', { required: true }), '')).toThrow('Floor is required.');
});

test('letters are counted, not their halves', () => {
  expect(readValue(field('string', { maxLength: 2 }), '🚒🚑')).toBe('🚒🚑');
});

test('patterns that hang other engines answer at once', () => {
  // A backtracking engine is still at the first of these when the sun goes out; the test then fails by the
  // runner's own limit.
  for (const regexp of ['^(a+)+$', '^(a|aa)+$', '^(a+a+)+b', '^([a-zA-Z]+)*$', '(a*)*c']) {
    expect(() => readValue(field('text', { regexp }), 'a'.repeat(30_000) + '!')).toThrow(
      /does not match the pattern of this field/,
    );
  }
});

test('a deeply nested collection and an endless one are refused', () => {
  let deep: unknown = { type: 'Point', coordinates: [0, 0] };
  for (let i = 0; i < 50; i++) deep = { type: 'GeometryCollection', geometries: [deep] };
  expect(() => readValue(field('geometry'), deep)).toThrow(/nested/);
  expect(() =>
    readValue(field('geometry'), { type: 'MultiPoint', coordinates: new Array(100_001).fill([0, 0]) }),
  ).toThrow(/at most/);
});

test('no value whatever makes anything but a value or a refusal', () => {
  const seed = Number(process.env.WAYPOST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const formats = fc.constantFrom<FieldRules['format'][]>(
    'int',
    'float',
    'bool',
    'geometry',
    'string',
    'text',
    'list',
    'date',
  );
  fc.assert(
    fc.property(formats, fc.anything(), (format, value) => {
      try {
        const stored = readValue(field(format), value);
        expect(readValue(field(format), stored)).toEqual(stored); // what is stored reads back as itself
      } catch (error) {
        expect(error).toMatchObject({ name: 'Refusal', kind: 'invalid' });
      }
    }),
    { seed, numRuns: 5000 },
  );
});

test('fields are listed by their positive order, and behind them by id', () => {
  const fields = [
    { id: 4, order: 0 },
    { id: 3, order: 2 },
    { id: 2, order: 0 },
    { id: 9, order: 1 },
  ];
  expect(fields.sort(byOrder).map(({ id }) => id)).toEqual([9, 3, 2, 4]);
});

test('a key is the name in passport letters, unique among those that were ever taken', () => {
  expect(slugOf('Этаж дома', 7, new Set())).toBe('etazh_doma');
  expect(slugOf('Щит № 5 (ёлка)', 7, new Set())).toBe('shchit_5_elka');
  expect(slugOf('Floor', 7, new Set(['floor', 'floor_2']))).toBe('floor_3');
  expect(slugOf('Überfüllt', 7, new Set())).toBe('uberfullt');
  for (const name of ['!!!', '地址', 'عنوان', 'כתובת', '№ 112', '🔥', 'Διεύθυνση'])
    expect(slugOf(name, 7, new Set())).toBe('field-7');
  expect(slugOf('地址 A', 7, new Set())).toBe('a');
  expect(slugOf('Қала өзен', 7, new Set())).toBe('qala_ozen');
});

test.each([
  ['й', 'i'],
  ['ю', 'iu'],
  ['я', 'ia'],
  ['ё', 'e'],
  ['ж', 'zh'],
  ['х', 'kh'],
  ['ц', 'ts'],
  ['щ', 'shch'],
  ['ъ', 'ie'],
  ['ь', ''],
  ['ч', 'ch'],
  ['ш', 'sh'],
  ['ы', 'y'],
  ['э', 'e'],
])('%s is “%s” in a key, as in passports', (letter, latin) => {
  expect(slugOf(`Т${letter}к`, 7, new Set())).toBe(`t${latin}k`);
});

test('a field is there for all types, or for its own', () => {
  expect(isAvailable({ forAllTypes: true, typeIds: [] }, 3)).toBe(true);
  expect(isAvailable({ forAllTypes: false, typeIds: [3] }, 3)).toBe(true);
  expect(isAvailable({ forAllTypes: false, typeIds: [4] }, 3)).toBe(false);
});
