import { expect, test } from 'vitest';
import type { CustomField } from '../../../../../shared/records/index.ts';
import { ZonedTime } from '../../../../../shared/zoned-time.ts';
import {
  asStored,
  changedKeys,
  conflictsOf,
  customFaults,
  faultsOf,
  followOthers,
  taskForm,
  formIsUnchangedSince,
  newValues,
  taskUpdateBody,
  set,
  takeSaved,
} from '../../../../../renderer/src/features/task/editor/task-form.ts';
import { makeTask } from '../../task.ts';

const field = (id: number, format: CustomField['format'], rules: Partial<CustomField> = {}): CustomField =>
  ({
    id,
    kind: 'customField',
    name: `Field ${id}`,
    slug: `field_${id}`,
    format,
    group: '',
    possibleValues: null,
    regexp: null,
    minLength: null,
    maxLength: null,
    required: false,
    defaultValue: null,
    visible: true,
    forAllTypes: true,
    typeIds: [],
    order: 0,
    isDeleted: false,
    ...rules,
  }) as CustomField;
const HERE = ZonedTime.here();
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const FIELDS = [
  field(1, 'int'),
  field(2, 'bool'),
  field(3, 'geometry'),
  field(4, 'string', { regexp: '^[A-Z]+$' }),
  field(5, 'date', { required: true, forAllTypes: false, typeIds: [9] }),
];
const stored = makeTask({
  id: 7,
  title: 'Tree down',
  typeId: 1,
  date: new Date(2026, 2, 5, 14, 30).getTime(),
  customValues: { 1: 3, 2: false, 3: square },
});
const form = () => taskForm(stored, FIELDS);

test('a form that nobody touched changes nothing, whatever the formats of its values', () => {
  expect(changedKeys(form(), form())).toEqual([]);
  expect(taskUpdateBody(form(), form(), FIELDS, HERE)).toEqual({});
  expect(form()).toMatchObject({
    'custom:1': '3',
    'custom:2': 'f',
    'custom:3': square,
    'custom:4': '',
    'date': '2026-03-05T14:30',
  });
});

test('only what was changed is sent, by the names of the interface', () => {
  const after = {
    ...form(),
    'title': ' Tree on the road ',
    'assignedVehicleId': 4,
    'date': '2026-03-06T09:05',
    'custom:1': '',
    'custom:2': 't',
  };
  expect(taskUpdateBody(form(), after, FIELDS, HERE)).toEqual({
    title: 'Tree on the road',
    assigned_car_id: 4,
    news_date: '06.03.2026',
    news_hour: 9,
    news_minute: 5,
    custom_fields: JSON.stringify({ field_1: { field_id: 1, value: null }, field_2: { field_id: 2, value: 't' } }),
  });
  expect(
    taskUpdateBody(form(), { ...form(), place: { address: '', point: { lon: 9, lat: 47, zoom: 16 } } }, FIELDS, HERE),
  ).toEqual({ point: [9, 47], pointZoom: 16 });
  expect(
    taskUpdateBody(
      { ...form(), place: { address: 'x', point: { lon: 9, lat: 47, zoom: 16 } } },
      { ...form(), place: { address: 'x', point: null } },
      FIELDS,
      HERE,
    ),
  ).toEqual({ point: null });
});

test('a date is typed by the clock of this machine and told by that of the station', () => {
  const after = { ...form(), date: '2026-03-29T23:30' };
  const at = new Date(2026, 2, 29, 23, 30).getTime();
  for (const [zone, ahead] of [
    ['Asia/Vladivostok', 10],
    ['America/Sao_Paulo', -3],
  ] as const) {
    const there = new Date(at + ahead * 3_600_000).toISOString();
    expect(taskUpdateBody(form(), after, FIELDS, new ZonedTime(zone))).toEqual({
      news_date: there.slice(0, 10).split('-').reverse().join('.'),
      news_hour: Number(there.slice(11, 13)),
      news_minute: 30,
    });
  }
});

test('an edit and its way back are each other’s opposite', () => {
  const after = { ...form(), 'text': 'More', 'categoryId': 2, 'custom:4': 'ABC' };
  expect(taskUpdateBody(after, form(), FIELDS, HERE)).toEqual({
    text: form().text,
    category_id: 0,
    custom_fields: JSON.stringify({ field_4: { field_id: 4, value: null } }),
  });
});

test('an edit may be taken back while it stands, or has not come back yet, and not once somebody has gone on from there', () => {
  const after = asStored({ ...form(), 'title': ' Other ', 'custom:1': '05' }, FIELDS);
  expect(after).toMatchObject({ 'title': 'Other', 'custom:1': '5', 'custom:2': 'f', 'custom:3': square });
  expect(formIsUnchangedSince(form(), after, after)).toBe(true);
  expect(formIsUnchangedSince(form(), after, form())).toBe(true);
  expect(formIsUnchangedSince(form(), after, { ...after, text: 'Another field' })).toBe(true);
  expect(formIsUnchangedSince(form(), after, { ...after, 'custom:1': '6' })).toBe(false);
});

test('what others changed comes in where nobody typed; where somebody did it waits to be settled', () => {
  const [base, mine] = [form(), { ...form(), title: 'Mine', text: 'Same for both' }];
  const theirs = taskForm(
    {
      ...stored,
      title: 'Theirs',
      text: 'Same for both',
      categoryId: 5,
      customValues: { ...stored.customValues, 1: 8 },
    },
    FIELDS,
  );
  expect(followOthers(base, mine, theirs).sort()).toEqual(['categoryId', 'custom:1', 'text']);
  expect(mine).toMatchObject({ 'title': 'Mine', 'categoryId': 5, 'custom:1': '8' });
  expect(conflictsOf(base, mine, theirs)).toEqual(['title']);
  expect(followOthers(base, mine, theirs)).toEqual([]); // told once
  set(base, 'title', theirs.title); // mine stands
  expect(conflictsOf(base, mine, theirs)).toEqual([]);
  expect(taskUpdateBody(base, mine, FIELDS, HERE)).toEqual({ title: 'Mine' });
});

test('what is typed while a form is being saved is a change to what was saved', () => {
  const [base, mine] = [form(), form()];
  set(mine, 'title', ' Saved ');
  set(mine, 'custom:1', '05');
  const saving = { before: { ...base }, typed: { ...mine }, stored: asStored(mine, FIELDS) };
  set(mine, 'title', 'Saved, and more');
  set(mine, 'text', 'Later');
  takeSaved(base, mine, saving);
  expect(taskUpdateBody(base, mine, FIELDS, HERE)).toEqual({ title: 'Saved, and more', text: 'Later' });
  expect(mine).toMatchObject({ 'custom:1': '5' });
});

test('values are checked by the rules of the station, and each fault is at its field', () => {
  const wrong = {
    ...form(),
    'title': ' ',
    'date': '2026-02-31T',
    'custom:1': 'many',
    'custom:3': '{"type":"Polygon"}',
    'custom:4': 'abc',
  };
  expect(Object.fromEntries(faultsOf(form(), wrong, FIELDS))).toMatchObject({
    'title': { rule: 'needed' },
    'date': { rule: 'date' },
    'custom:1': { rule: 'whole' },
    'custom:3': { rule: 'geometry' },
    'custom:4': { rule: 'example', example: 'ABC' },
  });
  for (const character of ['x', '🔥']) {
    expect(faultsOf(form(), { ...form(), title: character.repeat(256) }, FIELDS).get('title')).toEqual({
      rule: 'titleTooLong',
      most: 255,
      count: 256,
    });
    expect(faultsOf(form(), { ...form(), title: character.repeat(255) }, FIELDS).has('title')).toBe(false);
  }
});

test('a field that has become needed does not stop an edit of something else, but does when the type brings it', () => {
  const needed = [...FIELDS, field(6, 'string', { required: true })];
  expect(faultsOf(form(), { ...form(), text: 'More' }, needed).size).toBe(0);
  expect([...faultsOf(form(), { ...form(), 'custom:1': '4' }, needed).keys()]).toEqual(['custom:6']);
  expect([...faultsOf(form(), { ...form(), typeId: 9 }, FIELDS).keys()]).toEqual(['custom:5']);
});

test('a new task has the defaults where nothing was typed, and what was emptied stays empty', () => {
  const fields = [field(1, 'int', { defaultValue: '7' }), field(2, 'string', { defaultValue: 'A' })];
  expect(newValues(fields, { 'custom:2': '' })).toEqual({ 'custom:1': '7', 'custom:2': '' });
  expect(customFaults({ typeId: 1, ...newValues(fields, { 'custom:1': 'x' }) }, fields)).toEqual(
    new Map([['custom:1', { rule: 'whole' }]]),
  );
});
