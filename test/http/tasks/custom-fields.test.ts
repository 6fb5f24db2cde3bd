import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: string;
let types: number[];

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = (await station.newUser('anna', 'Dispatcher')).token;
  const listed = (await ask('GET', '/newstype')).json().newstype as { news_type_id: string }[];
  types = listed.map((type) => Number(type.news_type_id));
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers as a client without types does
async function make(body: object): Promise<any> {
  const answered = await ask('POST', '/custom_field', body);
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
}
async function refused(method: string, path: string, body: unknown, naming: RegExp): Promise<void> {
  const answered = await ask(method, path, body);
  expect(answered.status, `${JSON.stringify(body)}: ${answered.text}`).toBe(400);
  expect(answered.json()).toEqual({ res: 0, resText: expect.stringMatching(naming) });
}
const listed = async (): Promise<string[]> =>
  (await ask('GET', '/news/custom_fields')).json().custom_fields.map((field: { id: string }) => field.id);
async function task(values: object): Promise<number> {
  const answered = await ask('POST', '/news/', { values: { title: 'Burst pipe', news_type_id: types[0], ...values } });
  expect(answered.status, answered.text).toBe(200);
  return answered.json().newsId;
}
const valuesOf = async (id: number): Promise<Record<string, unknown>> =>
  JSON.parse((await ask('GET', `/news/${id}`)).json().news_data.custom_fields);

test('a custom field is answered as one flat object in the envelope, with its defaults', async () => {
  expect(await make({ name: 'Щит №1', format: 'string' })).toEqual({
    res: 1,
    resText: '',
    id: expect.stringMatching(/^\d+$/),
    name: 'Щит №1',
    translit: 'shchit_1',
    format: 'string',
    group_name: '',
    possible_values: null,
    regexp: null,
    hint: '',
    min_length: null,
    max_length: null,
    is_required: 'f',
    default_value: null,
    visible: 't',
    is_for_all: 't',
    news_type_ids: [],
    order: '0',
  });
  expect((await make({ name: 'Щит №1', format: 'int' })).translit).toBe('shchit_1_2');
});

test('each of the five rules refuses on POST and on PUT', async () => {
  await refused('POST', '/custom_field', { name: 'a', format: 'int', possible_values: ['x'] }, /possible_values/);
  await refused('POST', '/custom_field', { name: 'a', format: 'bool', regexp: 'x' }, /regexp/);
  await refused('POST', '/custom_field', { name: 'a', format: 'int', min_length: 1 }, /min_length/);
  await refused(
    'POST',
    '/custom_field',
    { name: 'a', format: 'list', possible_values: ['x'], max_length: 1 },
    /max_length/,
  );
  await refused('POST', '/custom_field', { name: 'a', format: 'geometry', default_value: 'x' }, /default_value/);
  for (const wrong of [
    { format: 'int', default_value: '1.5' },
    { format: 'float', default_value: 'x' },
    { format: 'bool', default_value: 'perhaps' },
    { format: 'date', default_value: '31.02.2026' },
    { format: 'list', possible_values: ['x'], default_value: 'y' },
    { format: 'string', regexp: '^a+$', default_value: 'b' },
    { format: 'string', min_length: 3, default_value: 'ab' },
    { format: 'text', max_length: '1', default_value: 'ab' },
  ])
    await refused('POST', '/custom_field', { name: 'a', ...wrong }, /default_value/);
  await refused('POST', '/custom_field', { name: 'a', format: 'list' }, /possible_values/);
  for (const [sent, says] of [
    [{ format: 'int', default_value: '1.5' }, 'default_value must be a whole number.'],
    [{ format: 'string', min_length: -1 }, 'min_length must be a whole number from 0 to 1000000.'],
    [{ format: 'string', max_length: 'a' }, 'max_length must be a whole number from 0 to 1000000.'],
    [{ format: 'list', possible_values: 'a' }, 'possible_values must be an array of texts.'],
  ] as const)
    expect((await ask('POST', '/custom_field', { name: 'a', ...sent })).json()).toEqual({ res: 0, resText: says });
  await refused('POST', '/custom_field', { name: 'a', format: 'colour' }, /format/);
  await refused('POST', '/custom_field', { format: 'int' }, /name/);
  // Right in itself, and yet not for this format.
  await refused(
    'POST',
    '/custom_field',
    { name: 'a', format: 'geometry', default_value: '{"type":"Point","coordinates":[1,2]}' },
    /^default_value cannot/,
  );
  const { id } = await make({ name: 'Number', format: 'int', default_value: 7 });
  const path = `/custom_field/${id}`;
  await refused('PUT', path, { possible_values: ['x'] }, /possible_values/);
  await refused('PUT', path, { max_length: 4 }, /max_length/);
  await refused('PUT', path, { default_value: 'seven' }, /default_value/);
  await refused('PUT', path, { regexp: '^8$' }, /default_value/); // the default that stands
  await refused('PUT', path, { format: 'float' }, /format/);
  expect((await ask('GET', path)).json()).toMatchObject({ default_value: '7', regexp: null, format: 'int' });
});

test('every format has its own attributes and no others', async () => {
  const all = ['int', 'float', 'bool', 'geometry', 'string', 'text', 'list', 'date'];
  const attributes: [string, unknown, string[]][] = [
    ['possible_values', ['x'], ['list']],
    ['regexp', '.', ['string', 'text', 'int', 'float']],
    ['min_length', 0, ['string', 'text']],
    ['max_length', 9, ['string', 'text']],
    ['default_value', '1', all.filter((format) => format !== 'geometry')],
  ];
  for (const [attribute, value, formats] of attributes) {
    for (const format of all.filter((one) => !formats.includes(one)))
      await refused(
        'POST',
        '/custom_field',
        { name: 'a', format, ...(format === 'list' ? { possible_values: ['x'] } : {}), [attribute]: value },
        new RegExp(`^${attribute} `),
      );
  }
});

test('a hint says in words what to type, stays until another is sent, and is at most 200 characters', async () => {
  const { id } = await make({ name: 'Hinted', format: 'string', regexp: '^\\+', hint: ' With the country code ' });
  const put = async (body: object) => (await ask('PUT', `/custom_field/${id}`, body)).json();
  expect((await put({ name: 'Number' })).hint).toBe('With the country code');
  expect((await put({ hint: '' })).hint).toBe('');
  await refused('PUT', `/custom_field/${id}`, { hint: 'x'.repeat(201) }, /hint/);
});

test('a pattern is for texts and numbers, lengths for texts, a default for everything but a geometry', async () => {
  for (const format of ['string', 'text', 'int', 'float'])
    expect(await make({ name: 'Pattern', format, regexp: '^1' })).toMatchObject({ regexp: '^1' });
  for (const format of ['string', 'text'])
    expect(await make({ name: 'Lengths', format, min_length: 1, max_length: '4' })).toMatchObject({
      min_length: '1',
      max_length: '4',
    });
  for (const [format, sent, stored] of [
    ['int', 7, '7'],
    ['float', '1.50', '1.5'],
    ['bool', false, 'f'],
    ['string', 'x', 'x'],
    ['text', 'a\nb', 'a\nb'],
    ['date', '31.03.2026', '2026-03-31'],
  ])
    expect(await make({ name: 'Default', format, default_value: sent })).toMatchObject({ default_value: stored });
});

test('the formats are listed with their names in English and to show', async () => {
  expect((await ask('GET', '/news/custom_fields')).json()).toMatchObject({
    res: 1,
    resText: '',
    fields_types: [
      { name: 'int', rusname: 'Целое число' },
      { name: 'float', rusname: 'Дробное число' },
      { name: 'bool', rusname: 'Да или нет' },
      { name: 'geometry', rusname: 'Геометрия' },
      { name: 'string', rusname: 'Строка' },
      { name: 'text', rusname: 'Текст' },
      { name: 'list', rusname: 'Список' },
      { name: 'date', rusname: 'Дата' },
    ],
  });
});

test('PUT changes what is sent: values of a list are replaced whole, or stay', async () => {
  const { id, translit } = await make({
    name: 'Colour',
    format: 'list',
    possible_values: ['red', 'green'],
    group_name: 'Paint',
  });
  expect((await ask('PUT', `/custom_field/${id}`, { name: 'Tint', visible: 'f' })).json()).toMatchObject({
    name: 'Tint',
    translit,
    visible: 'f',
    group_name: 'Paint',
    possible_values: ['red', 'green'],
  });
  expect((await ask('PUT', `/custom_field/${id}`, { possible_values: ['blue'] })).json().possible_values).toEqual([
    'blue',
  ]);
  expect(
    (await ask('PUT', `/custom_field/${id}`, { is_for_all: 'f', news_type_ids: [String(types[1])] })).json(),
  ).toMatchObject({ is_for_all: 'f', news_type_ids: [String(types[1])] });
  await refused('PUT', `/custom_field/${id}`, { news_type_ids: [999_999] }, /news_type_ids/);
});

test('only administrators write them', async () => {
  const { id } = await make({ name: 'Guarded', format: 'int' });
  for (const [method, path, body] of [
    ['POST', '/custom_field', { name: 'x', format: 'int' }],
    ['PUT', `/custom_field/${id}`, {}],
    ['DELETE', `/custom_field/${id}`, undefined],
    ['POST', '/custom_field/sort', { ids: [] }],
    ['POST', `/custom_field/${id}/restore`, undefined],
  ] as const) {
    expect((await ask(method, path, body, dispatcher)).status, `${method} ${path}`).toBe(403);
  }
  expect((await ask('GET', `/custom_field/${id}`, undefined, dispatcher)).status).toBe(200);
});

test('sorting names every field once, can be repeated, and new fields come last', async () => {
  const made = [await make({ name: 'One', format: 'int' }), await make({ name: 'Two', format: 'int' })].map(
    (field) => field.id,
  );
  const reversed = (await listed()).reverse();
  for (let time = 0; time < 2; time++) {
    const answered = await ask('POST', '/custom_field/sort', { ids: reversed.map(Number) });
    expect(
      answered.json().custom_fields.map((field: { id: string; order: string }) => [field.id, field.order]),
    ).toEqual(reversed.map((id, index) => [id, String(index + 1)]));
    expect(await listed()).toEqual(reversed);
  }
  const { id: late } = await make({ name: 'Late', format: 'int' });
  expect(await listed()).toEqual([...reversed, late]);
  const all = [...reversed, late].map(Number);
  await refused('POST', '/custom_field/sort', { ids: all.slice(1) }, /ids/);
  await refused('POST', '/custom_field/sort', { ids: [...all.slice(1), all[1]] }, /twice/);
  await refused('POST', '/custom_field/sort', { ids: [...all.slice(1), 999_999] }, /999999/);
  await refused('POST', '/custom_field/sort', { ids: 'x' }, /ids/);
  await refused('POST', '/custom_field/sort', { ids: ['x'] }, /ids/);
  await refused('POST', '/custom_field/sort', {}, /^ids is missing/);
  await ask('DELETE', `/custom_field/${made[0]}`);
  await refused('POST', '/custom_field/sort', { ids: all }, /deleted/);
  expect(await listed()).toEqual([...reversed, late].filter((id) => id !== made[0]));
});

test('a deleted field is gone, its values are kept and come back with it', async () => {
  const { id, translit } = await make({
    name: 'Flat',
    format: 'int',
    is_required: true,
    is_for_all: false,
    news_type_ids: [types[2]],
  });
  const news = await task({
    news_type_id: types[2],
    custom_fields: JSON.stringify({ [translit]: { field_id: Number(id), value: '12' } }),
  });
  expect(await valuesOf(news)).toMatchObject({ [translit]: { field_id: Number(id), value: 12 } });
  expect((await ask('DELETE', `/custom_field/${id}`)).json()).toEqual({ res: 1, resText: '' });
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', {}],
    ['DELETE', undefined],
  ] as const)
    expect((await ask(method, `/custom_field/${id}`, body)).status).toBe(404);
  expect(await listed()).not.toContain(id);
  expect(await valuesOf(news)).not.toHaveProperty(translit);
  // A client that has it still may send it: what is stored stays.
  expect(
    (
      await ask('POST', `/news/${news}/update`, {
        title: 'Changed',
        custom_fields: JSON.stringify({ [translit]: { field_id: Number(id), value: 99 } }),
      })
    ).status,
  ).toBe(200);
  await task({ news_type_id: types[2] }); // it was required: nobody is asked for what is not there
  expect((await make({ name: 'Flat', format: 'int' })).translit).toBe(`${translit}_2`);
  expect((await ask('POST', `/custom_field/${id}/restore`)).json()).toMatchObject({ id, translit });
  expect(await valuesOf(news)).toMatchObject({ [translit]: { field_id: Number(id), value: 12 } });
  expect((await ask('POST', `/custom_field/${id}/restore`)).status).toBe(400);
  expect((await ask('POST', '/custom_field/999999/restore')).status).toBe(404);
});

test('values in messages are typed, checked, required where the field is there for the type, and have defaults', async () => {
  const only = { is_for_all: 'f', news_type_ids: [types[3]] };
  const needed = await make({ name: 'Storey', format: 'int', is_required: 't', ...only });
  const flag = await make({ name: 'Gas', format: 'bool', default_value: true, ...only });
  const day = await make({ name: 'Since', format: 'date', ...only });
  const area = await make({ name: 'Area', format: 'geometry', ...only });
  const sent = (values: Record<string, unknown>) =>
    JSON.stringify(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])));
  const of = (custom_fields?: string) => ({
    values: { title: 'x', news_type_id: types[3], ...(custom_fields === undefined ? {} : { custom_fields }) },
  });
  await refused('POST', '/news/', of(), /storey/);
  await refused(
    'POST',
    '/news/',
    of(sent({ storey: 'first' })),
    /^custom_fields: Storey \(storey\) must be a whole number\.$/,
  );
  await refused('POST', '/news/', of(sent({ storey: 1.5 })), /Storey/);
  await refused('POST', '/news/', of(sent({ storey: 1, nothing: 1 })), /nothing/);
  await refused('POST', '/news/', of(JSON.stringify({ storey: { field_id: Number(day.id), value: 1 } })), /storey/);
  await refused('POST', '/news/', of('{'), /custom_fields/);
  await refused('POST', '/news/', of('[1]'), /custom_fields/);
  await refused(
    'POST',
    '/news/',
    { values: { title: 'x', news_type_id: types[0], custom_fields: sent({ storey: 1 }) } },
    /available/,
  );
  const point = { type: 'Point', coordinates: [9.5, 47.1] };
  const id = await task({
    news_type_id: types[3],
    custom_fields: sent({ storey: '3', since: '01.02.2026', area: point }),
  });
  expect(await valuesOf(id)).toMatchObject({
    storey: { field_id: Number(needed.id), value: 3 },
    gas: { field_id: Number(flag.id), value: true },
    since: { field_id: Number(day.id), value: '2026-02-01' },
    area: { field_id: Number(area.id), value: point },
  });
  // Said to be empty, a new message has no default; and a message that lost a value does not get the default
  // back by another change.
  expect(
    await valuesOf(await task({ news_type_id: types[3], custom_fields: sent({ storey: 1, gas: null }) })),
  ).not.toHaveProperty('gas');
  const gasless = await task({ news_type_id: types[3], custom_fields: sent({ storey: 1, gas: '' }) });
  expect((await ask('POST', `/news/${gasless}/update`, { custom_fields: sent({ storey: 2 }) })).status).toBe(200);
  expect(await valuesOf(gasless)).toMatchObject({ storey: { value: 2 } });
  expect(await valuesOf(gasless)).not.toHaveProperty('gas');
  // Another type asks for the fields that are there for it.
  const other = await task({ news_type_id: types[0] });
  await refused('POST', `/news/${other}/update`, { news_type_id: types[3] }, /storey is missing/);
  expect(
    (await ask('POST', `/news/${other}/update`, { news_type_id: types[3], custom_fields: sent({ storey: 4 }) })).status,
  ).toBe(200);
  expect((await ask('POST', `/news/${id}/update`, { custom_fields: sent({ gas: 'f', since: null }) })).status).toBe(
    200,
  );
  expect(await valuesOf(id)).toMatchObject({ storey: { value: 3 }, gas: { value: false } });
  expect(await valuesOf(id)).not.toHaveProperty('since');
  await refused('POST', `/news/${id}/update`, { custom_fields: sent({ storey: '' }) }, /Storey/);
});

test('the history and the comment of an update name each custom field that changed, deleted ones too', async () => {
  const [callers, injured, note] = [
    await make({ name: 'Callers', format: 'int' }),
    await make({ name: 'Пострадавшие', format: 'bool' }),
    await make({ name: 'Note', format: 'string' }),
  ];
  const sent = (values: Record<string, unknown>) =>
    JSON.stringify(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])));
  const id = await task({ custom_fields: sent({ [callers.translit]: 2, [note.translit]: 'same' }) });
  const update = {
    title: 'Burst main',
    custom_fields: sent({ [callers.translit]: 3, [injured.translit]: 't', [note.translit]: 'same' }),
    update_comments: 'Two more called',
    updatecomment_visible_all: 't',
  };
  expect((await ask('POST', `/news/${id}/update`, update)).json()).toMatchObject({ res: 1 });
  expect((await ask('DELETE', `/custom_field/${callers.id}`)).status).toBe(200);
  const { history } = (await ask('GET', `/news/${id}/history`)).json();
  expect(
    history.map(({ field, from, to }: { field: string; from: unknown; to: unknown }) => [field, from, to]),
  ).toEqual([
    ['title', 'Burst pipe', 'Burst main'],
    ['custom_fields.callers', 2, 3],
    ['custom_fields.postradavshie', null, true],
  ]);
  expect((await ask('GET', `/news/${id}/comments`)).json().comments).toMatchObject([
    { update_text: 'title, custom_fields.callers, custom_fields.postradavshie' },
  ]);
});

test('the key of a field without Latin or Cyrillic letters is Latin', async () => {
  for (const name of ['地址', '№ 5']) {
    const { id, translit } = await make({ name, format: 'int' });
    expect(translit).toBe(`field-${id}`);
  }
});
