import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Rules over the fields of messages, written and asked as clients do. */
let station: TryStation;
let admin: string;
let clerk: { id: number; token: string };
let clerkRole: number;
let type: number;
let home: number;
let plain: number;
let assigned: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  type = Number((await ok('GET', '/newstype')).newstype[0].news_type_id);
  home = (await ok('GET', '/users/current')).organizationId;
  clerkRole = (await ok('POST', '/rights', { name: 'Clerk' })).id;
  clerk = await station.newUser('clerk', 'Clerk');
  plain = await create({ news_date: '01.03.2026', news_hour: 10 });
  assigned = await create({ news_date: '02.03.2026', news_hour: 10 }, { point: [9.5, 47.1] });
  await ok('POST', `/news/${assigned}/update`, { assigned_organization_id: home });
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
async function create(values: object = {}, more: object = {}): Promise<number> {
  return (await ok('POST', '/news/', { values: { title: 'Tree down', news_type_id: type, ...values }, ...more }))
    .newsId;
}
async function state(rule: object): Promise<{ id: string; field: string; value: string | null }> {
  return (await ok('POST', '/news/states', { name: 'Rule', ...rule })).state;
}
async function refusal(rule: object): Promise<string> {
  const { status, text, json } = await station.ask('POST', '/news/states', {
    as: admin,
    body: { name: 'Rule', ...rule },
  });
  expect(status, `${JSON.stringify(rule)}: ${text}`).toBe(400);
  return json().resText;
}
/** Which of some messages the rule holds for: in the list, and for a right that it limits. */
async function holding(rule: object, among: readonly number[] = [plain, assigned]): Promise<number[]> {
  const { id } = await state(rule);
  const { news_list: list } = await ok('GET', `/news/listAfterId/0/500?onlyStates=${id}`);
  const listed = among.filter((one) => list.some((item: { id: string }) => item.id === String(one)));
  await ok('PUT', `/rights/${clerkRole}`, {
    accesses: [
      { capability_id: 1, states: null },
      { capability_id: 3, states: [Number(id)] },
    ],
  });
  const edited: number[] = [];
  for (const one of among)
    if (
      (await station.ask('POST', `/news/${one}/update`, { as: clerk.token, body: { text: `by ${id}` } })).status === 200
    )
      edited.push(one);
  expect(edited, `${JSON.stringify(rule)} for the list and for who may edit`).toEqual(listed);
  return listed;
}
/** The date of a message as the list writes it. */
async function dateOf(id: number): Promise<string> {
  return (await ok('GET', '/news/listAfterId/0/500')).news_list.find((item: { id: string }) => item.id === String(id))
    .news_date;
}

test('a date rule accepts the format of lists, and Unix seconds', async () => {
  const early = await dateOf(plain);
  const seconds = Date.parse(early.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')) / 1000;
  for (const value of [early, seconds, String(seconds)]) {
    expect(await holding({ field: 'news_date', sign: '=', value })).toEqual([plain]);
    expect(await holding({ field: 'news_date', sign: '!=', value })).toEqual([assigned]);
    expect(await holding({ field: 'news_date', sign: '<', value })).toEqual([]);
    expect(await holding({ field: 'news_date', sign: '<=', value })).toEqual([plain]);
    expect(await holding({ field: 'news_date', sign: '>', value })).toEqual([assigned]);
    expect(await holding({ field: 'news_date', sign: '>=', value })).toEqual([plain, assigned]);
    expect(await holding({ field: 'news_date', sign: 'in', value: [value, 0] })).toEqual([plain]);
  }
  expect((await state({ field: 'update_date', sign: '>', value: early })).value).toBe(early);
  // The same moment in another zone; milliseconds within a second do not matter.
  const elsewhere = `${new Date(seconds * 1000 + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')}+05:30`;
  expect(await holding({ field: 'date', sign: '=', value: elsewhere })).toEqual([plain]);
  expect(await holding({ field: 'assigned_change_date', sign: '>', value: '2000-01-01 00:00:00+00' })).toEqual([
    plain,
    assigned,
  ]);
});

test.each([
  '31.12.2026',
  '31.12.2026 23:59',
  '2026-12-31',
  '2026-12-31 23:59:59',
  '2026-12-31T23:59:59Z',
  '2026-02-30 10:00:00+03',
  '2026-12-31 24:61:00+03',
  'yesterday',
  'x',
  -5,
  1.5,
  1_780_000_000_000,
  '1780000000000',
  true,
])('a rule over a date refuses %j in words', async (value) => {
  for (const sign of ['=', '!=', '<', 'in'])
    expect(await refusal({ field: 'news_date', sign, value })).toBe(
      'value must be a date and time as 2026-12-31 23:59:59+03, or Unix time in seconds.',
    );
});

test('a value that the field can never have is refused, and so is a blank one', async () => {
  const blank = 'value must not be blank, unless field_from_session names a field of the user.';
  for (const rule of [
    {},
    { value: null },
    { value: '' },
    { value: '  ' },
    { sign: 'in', value: [] },
    { sign: 'in', value: '1,' },
    { sign: '!=', value: null },
  ]) {
    for (const field of ['assigned_to', 'status', 'title', 'news_date', 'archive'])
      expect(await refusal({ field, ...rule })).toBe(blank);
  }
  expect(await refusal({ field: 'status', sign: '!=', value: 'new' })).toBe('value must be a number.');
  expect(await refusal({ field: 'archive', value: 'maybe' })).toBe('value must be true or false.');
  expect(await refusal({ field: 'title', value: true })).toBe('value must be a text.');
  expect(await refusal({ field: 'status', value: [1, 2] })).toBe('value: several values need the sign “in”.');
  expect(await refusal({ field: 'news_date', field_from_session: 'user_id' })).toBe(
    'field_from_session: news_date cannot be compared with user_id, which is a number.',
  );
  expect(await refusal({ field: 'status', field_from_session: 'phone' })).toMatch(/^field_from_session/);
  const { id } = await state({ field: 'user_id', field_from_session: 'user_id' });
  const { status, text } = await station.ask('PUT', `/news/states/${id}`, {
    as: admin,
    body: { field_from_session: null },
  });
  expect([status, text]).toEqual([400, expect.stringContaining(blank)]);
});

test('an absent value matches no comparison; 0 matches unassigned tasks', async () => {
  for (const sign of ['<', '<=', '!='])
    expect(await holding({ field: 'assigned_to', sign, value: 1_000_000 })).toEqual([assigned]);
  for (const sign of ['>=', '>']) expect(await holding({ field: 'assigned_to', sign, value: 0 })).toEqual([assigned]);
  expect(await holding({ field: 'assigned_to', value: 0 })).toEqual([plain]);
  expect(await holding({ field: 'assigned_to', sign: '!=', value: 0 })).toEqual([assigned]);
  expect(await holding({ field: 'assigned_to', sign: 'in', value: [0, 1_000_000] })).toEqual([plain]);
  for (const field of ['assigned_to_user', 'category_id', 'assigned_car_id'])
    expect(await holding({ field, sign: '<', value: 10 })).toEqual([]);
  expect(await holding({ field: 'assigned_to', field_from_session: 'department_id' })).toEqual([assigned]);
  expect(await holding({ field: 'assigned_to_user', sign: '!=', field_from_session: 'user_id' })).toEqual([]);
  expect(await holding({ field: 'system_data', sign: '!=', value: 'x' })).toEqual([]);
});

test('a rule tests whether there is a point', async () => {
  expect(await holding({ field: 'point', value: null })).toEqual([plain]);
  expect(await holding({ field: 'point', sign: '!=', value: null })).toEqual([assigned]);
  expect((await state({ field: 'point', sign: '!=', value: '' })).value).toBeNull();
  for (const rule of [{ value: 1 }, { sign: '!=', value: 'null' }])
    expect(await refusal({ field: 'point', ...rule })).toBe('value must be null for the point.');
  for (const rule of [
    { sign: '<', value: null },
    { sign: 'in', value: [1] },
  ])
    expect(await refusal({ field: 'point', ...rule })).toBe('sign must be = or != for the point.');
  expect(await refusal({ field: 'point', field_from_session: 'user_id' })).toMatch(/^field_from_session/);
});

test('a rule tests a custom field by its translit, typed as its format', async () => {
  const field = async (name: string, format: string, more: object = {}): Promise<{ id: string; translit: string }> =>
    ok('POST', '/custom_field', { name, format, ...more });
  const floors = await field('Floors', 'int');
  const gas = await field('Gas', 'bool');
  const day = await field('Visit day', 'date');
  const kind = await field('Kind', 'list', { possible_values: ['house', 'shed'] });
  const area = await field('Area', 'geometry');
  const values = (floors_: number, gas_: boolean, day_: string, kind_: string) => ({
    custom_fields: JSON.stringify({
      [floors.translit]: { value: floors_ },
      [gas.translit]: { value: gas_ },
      [day.translit]: { value: day_ },
      [kind.translit]: { value: kind_ },
    }),
  });
  const none = plain;
  const low = await create(values(2, false, '2026-03-01', 'shed'));
  const high = await create(values(10, true, '2026-04-01', 'house'));
  const all = [none, low, high];
  const name = (one: { translit: string }) => `custom_fields.${one.translit}`;
  expect(await holding({ field: name(floors), sign: '<', value: 5 }, all)).toEqual([low]);
  expect(await holding({ field: name(floors), sign: '!=', value: '2' }, all)).toEqual([high]);
  expect(await holding({ field: name(floors), sign: 'in', value: '2,3' }, all)).toEqual([low]);
  expect(await holding({ field: name(gas), value: 'f' }, all)).toEqual([low]);
  expect(await holding({ field: name(day), sign: '>', value: '01.03.2026' }, all)).toEqual([high]);
  expect(await holding({ field: name(day), sign: '<=', value: '2026-03-01 23:00:00+03' }, all)).toEqual([low]);
  expect(await holding({ field: name(kind), value: 'house' }, all)).toEqual([high]);
  const made = await state({ field: name(floors), value: 5 });
  expect(made).toMatchObject({ field: name(floors), value: '5' });
  expect((await ok('GET', '/issues/states')).find(({ id }: { id: number }) => String(id) === made.id)).toMatchObject({
    field: name(floors),
    value: 5,
  });
  expect((await ok('PUT', `/news/states/${made.id}`, { value: 6 })).state).toMatchObject({
    field: name(floors),
    value: '6',
  });
  expect(await refusal({ field: 'custom_fields.nothing', value: 1 })).toBe('field: there is no custom field nothing.');
  expect(await refusal({ field: name(floors), value: 'many' })).toBe('value must be a whole number.');
  expect(await refusal({ field: name(kind), value: 'tower' })).toBe('value must be one of: house, shed.');
  expect(await refusal({ field: name(day), value: 'soon' })).toMatch(/^value must be a date/);
  expect(await refusal({ field: name(area), value: 'x' })).toBe('field: a geometry cannot be compared.');
  expect(await refusal({ field: name(floors), value: null })).toMatch(/^value must not be blank/);
});
