import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test } from 'vitest';
import { filterAndSort } from '../../../../../renderer/src/features/directories/columns.ts';
import { useDrafts } from '../../../../../renderer/src/lib/stores/record-drafts.ts';
import {
  changesSince,
  faultOf,
  periodSeconds,
  periodText,
  type Field,
} from '../../../../../renderer/src/features/directories/fields.ts';
import { accessesOf, grantsOf } from '../../../../../renderer/src/features/directories/grants.ts';
import { isUnchangedSince, inverseChanges } from '../../../../../renderer/src/features/directories/inverse-changes.ts';
import { comparedValues } from '../../../../../renderer/src/features/directories/use-state-words.ts';
import { readable } from '../../../../../renderer/src/pages/station/raw-bytes.ts';

interface Person {
  readonly id: number;
  readonly name: string;
  readonly age: number;
}
const people: readonly Person[] = [
  { id: 1, name: 'Шевцова', age: 9 },
  { id: 2, name: 'Berg 10', age: 31 },
  { id: 3, name: 'Berg 9', age: 4 },
];
const columns = [
  { id: 'name', text: 'Name', value: (row: Person) => row.name },
  { id: 'age', text: 'Age', value: (row: Person) => row.age },
  { id: 'drawn', text: '' },
];
const idsOf = (rows: readonly Person[]) => rows.map((row) => row.id);

test('rows are found by all words of the filter, in any alphabet and any column', () => {
  expect(idsOf(filterAndSort(people, columns, 'shevts', undefined, 'en'))).toEqual([1]);
  expect(idsOf(filterAndSort(people, columns, 'berg 31', undefined, 'en'))).toEqual([2]);
  expect(idsOf(filterAndSort(people, columns, '  ', undefined, 'en'))).toEqual([1, 2, 3]);
});

test('numbers are sorted as numbers, also within names; a column without values is not sorted by', () => {
  expect(idsOf(filterAndSort(people, columns, '', { by: 'age', descending: false }, 'en'))).toEqual([3, 1, 2]);
  expect(idsOf(filterAndSort(people, columns, '', { by: 'name', descending: false }, 'en')).slice(0, 2)).toEqual([
    3, 2,
  ]);
  expect(idsOf(filterAndSort(people, columns, '', { by: 'age', descending: true }, 'en'))).toEqual([2, 1, 3]);
  expect(idsOf(filterAndSort(people, columns, '', { by: 'drawn', descending: true }, 'en'))).toEqual([1, 2, 3]);
});

interface Draft {
  readonly name: string;
  readonly minLength: number | null;
  readonly group: number;
  readonly period: number;
  readonly values: readonly string[];
}
const draft: Draft = { name: 'A', minLength: null, group: 1, period: 0, values: [] };
const name: Field<Draft> = { key: 'name', kind: 'text', label: 'Name', required: true, longest: 3 };
const minLength: Field<Draft> = {
  key: 'minLength',
  kind: 'number',
  label: 'Least',
  wire: ['min_length'],
  whole: true,
  least: 0,
  most: 10,
};

test('what is wrong is known before anybody is asked', () => {
  expect(faultOf(name, draft)).toBeUndefined();
  expect(faultOf(name, { ...draft, name: '  ' })).toBe('needed');
  expect(faultOf(name, { ...draft, name: 'Long' })).toBe('tooLong');
  expect(faultOf(name, { ...draft, name: '🔥🔥🔥' })).toBeUndefined(); // three characters, six of JavaScript's
  expect(faultOf(minLength, { ...draft, minLength: 11 })).toBe('outOfBounds');
  expect(faultOf(minLength, { ...draft, minLength: 1.5 })).toBe('notANumber');
  expect(faultOf(minLength, { ...draft, minLength: 'x' as unknown as number })).toBe('notANumber');
  expect(faultOf({ key: 'values', kind: 'lines', label: '', required: true }, draft)).toBe('needed');
  const moment: Field<{ from: string; till: string }> = { key: 'till', kind: 'moment', label: '', after: 'from' };
  const times = { from: '2026-11-22T06:00', till: '' };
  expect(faultOf(moment, times)).toBeUndefined();
  expect(faultOf(moment, { ...times, till: '2026-11-22T06:01' })).toBeUndefined();
  expect(faultOf(moment, { ...times, till: '2026-11-22T06:00' })).toBe('notAfter');
  expect(faultOf(moment, { ...times, till: '2026-02-30T06:00' })).toBe('notATime');
  expect(
    faultOf({ key: 'from', kind: 'moment', label: '', future: true }, times, new Date(2026, 10, 22, 6).getTime()),
  ).toBe('past');
  expect(
    faultOf({ key: 'from', kind: 'moment', label: '', future: true }, times, new Date(2026, 10, 22, 5, 59).getTime()),
  ).toBeUndefined();
  expect(faultOf({ key: 'period', kind: 'period', label: '' }, { ...draft, period: '1:99' as unknown as number })).toBe(
    'notAPeriod',
  );
});

test('periods are read as they are written', () => {
  for (const seconds of [0, 60, 5400, 36_000, 5415, 359_940]) expect(periodSeconds(periodText(seconds))).toBe(seconds);
  expect(periodText(5400)).toBe('1:30');
  expect(periodSeconds('1:5')).toBe(3900);
  expect(periodSeconds('90')).toBeUndefined();
  expect(periodSeconds('1:75')).toBeUndefined();
});

beforeEach(() => setActivePinia(createPinia()));

test('unsaved changes are kept by directory and record, and gone when they are saved', () => {
  const drafts = useDrafts();
  drafts.put('types', 4, { name: 'x' });
  drafts.put('types', 'new', {});
  drafts.put('users', 4, {});
  expect([...drafts.waitingIn('types')]).toEqual([4, 'new']);
  expect(drafts.waitingIn('users').size).toBe(0);
  drafts.put('types', 4, {});
  drafts.put('types', 'new', undefined);
  expect(drafts.waitingIn('types').size).toBe(0);
});

test('what is typed while a record is being saved stays to be saved', () => {
  const saved = { name: 'Wet', colours: ['red'] };
  expect(changesSince(saved, { name: 'Wet road', colours: ['red'] })).toEqual({ name: 'Wet road' });
  expect(changesSince(saved, { name: 'Wet' })).toEqual({});
  expect(changesSince(saved, undefined)).toEqual({});
});

test('access rules become grants and are written as the interface takes them', () => {
  const grants = grantsOf([
    { id: 1, capability: 'edit', stateIds: [4] },
    { id: 2, capability: 'view', stateIds: null },
    { id: 3, capability: 'edit', stateIds: [2, 4] },
    { id: 4, capability: 'gone', stateIds: null },
  ]);
  expect(grants).toEqual({ view: 'always', edit: [2, 4] });
  expect(accessesOf(grants)).toEqual([
    { capability_id: 1, states: null },
    { capability_id: 3, states: [2, 4] },
  ]);
});

test('values of a state are read however they were written', () => {
  expect(comparedValues('2, 3')).toEqual([2, 3]);
  expect(comparedValues([1, 'a'])).toEqual([1, 'a']);
  expect(comparedValues(null)).toEqual([]);
  expect(comparedValues('Ivan, Olga')).toEqual(['Ivan', 'Olga']);
});

test('what a device sent is read as text, or byte by byte', () => {
  expect(readable(Buffer.from('#D#010203;тест\r\n').toString('base64'))).toBe('#D#010203;тест\r\n');
  expect(readable(Buffer.from([0, 1, 65, 255]).toString('base64'))).toBe(`0000  00 01 41 ff${' '.repeat(36)}  ..A.`);
  expect(readable(Buffer.alloc(17, 66).toString('base64')).split('\n').length).toBe(1); // text, though without an end
  expect(readable(Buffer.alloc(17, 1).toString('base64')).split('\n')[1]).toMatch(/^0010 {2}01 +\.$/);
});

test('a change goes back to what stood there, unless nobody here knows what that was, or somebody has gone on from it', () => {
  interface Person {
    readonly name: string;
    readonly ids: readonly number[];
    readonly password: string;
    readonly photo: string;
  }
  const fields: readonly Field<Person>[] = [
    { key: 'name', kind: 'text', label: '' },
    { key: 'ids', kind: 'several', label: '', choices: [] },
    { key: 'password', kind: 'text', type: 'password', label: '' },
    { key: 'photo', kind: 'custom', label: '', unknown: true },
  ];
  const before: Person = { name: 'Ann', ids: [1], password: '', photo: '' };
  expect(inverseChanges({ name: 'Anna', ids: [1, 2] }, before, fields)).toEqual({ name: 'Ann', ids: [1] });
  expect(inverseChanges({ name: 'Anna', password: 'new' }, before, fields)).toBeUndefined();
  expect(inverseChanges({ photo: 'uuid' }, before, fields)).toBeUndefined();

  const typed = { ...before, name: ' Anna ', ids: [1, 2] };
  const after = { ...typed, name: 'Anna' };
  const so = (now: Person) => isUnchangedSince({ name: ' Anna ', ids: [1, 2] }, now, before, typed, after);
  expect([so(after), so(before), so({ ...after, photo: 'of somebody else' })]).toEqual([true, true, true]);
  expect([so({ ...after, name: 'Anne' }), so({ ...after, ids: [3] })]).toEqual([false, false]);
});
