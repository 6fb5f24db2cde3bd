import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let roads: number;
let crew: { id: number; token: string };
let types: number[];
let categories: number[];
let van: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  roads = (await ok('POST', '/organizations', { name: 'Roads' })).id;
  crew = await station.newUser('crew', 'Viewer', { organizationId: roads });
  types = (await ok('GET', '/newstype')).newstype.map((type: { news_type_id: string }) => Number(type.news_type_id));
  categories = (await ok('GET', '/category')).category.map((category: { id: string }) => Number(category.id));
  van = (await ok('POST', '/cars', { name: 'Van 1' })).id;
  await ok('POST', '/custom_field', { name: 'Storey', format: 'int' });
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const create = async (values: object = {}, more: object = {}, as = admin): Promise<number> =>
  (await ok('POST', '/news/', { values: { title: 'Burst pipe', news_type_id: types[0], ...values }, ...more }, as))
    .newsId;
const detail = async (id: number): Promise<Record<string, unknown>> => (await ok('GET', `/news/${id}`)).news_data;

/**
 * What a field of the body changes in the message; the names that follow from an id, and the time of the
 * change, aside.
 */
const CHANGES: [string, () => object, () => Record<string, unknown>][] = [
  ['title', () => ({ title: 'Burst main' }), () => ({ title: 'Burst main' })],
  ['text', () => ({ text: 'Water in the cellar' }), () => ({ text: 'Water in the cellar' })],
  ['assigned_status 1', () => ({ assigned_status: 1 }), () => ({})],
  ['assigned_status 2', () => ({ assigned_status: 2 }), () => ({ assigned_status: '2' })],
  ['assigned_status 3', () => ({ assigned_status: '3' }), () => ({ assigned_status: '3' })],
  ['assigned_status 4', () => ({ assigned_status: 4 }), () => ({ assigned_status: '4', overdue: 'f' })],
  [
    'assigned_organization_id',
    () => ({ assigned_organization_id: roads }),
    () => ({ assigned_to: String(roads), assigned_status: '2' }),
  ],
  [
    'assigned_user_id',
    () => ({ assigned_user_id: crew.id }),
    () => ({ assigned_to_user: String(crew.id), assigned_status: '2' }),
  ],
  ['assigned_car_id', () => ({ assigned_car_id: van }), () => ({ assigned_car_id: String(van), assigned_status: '2' })],
  ['category_id', () => ({ category_id: categories[2] }), () => ({ category_id: String(categories[2]) })],
  [
    'news_type_id',
    () => ({ news_type_id: types.at(-1) }),
    () => ({ news_type_id: String(types.at(-1)), deadline: null, overdue: 'f' }),
  ],
  ['confirmed', () => ({ confirmed: 2 }), () => ({ confirmed: '2' })],
  ['confirmed_comment', () => ({ confirmed_comment: 'Not ours' }), () => ({ confirmed_comment: 'Not ours' })],
  ['restricted', () => ({ restricted: true }), () => ({ restricted: 't' })],
  ['archive', () => ({ archive: 'true' }), () => ({ archive: 't' })],
  ['notice', () => ({ notice: 1 }), () => ({ notice: '1' })],
  ['system_data', () => ({ system_data: 'x=1' }), () => ({ system_data: 'x=1' })],
  ['address', () => ({ address: 'Mill Road 1' }), () => ({ address: 'Mill Road 1' })],
  ['point', () => ({ point: [9.6, 47.2] }), () => ({ lon: '9.6', lat: '47.2' })],
  ['point none', () => ({ point: null }), () => ({ lon: null, lat: null, zoom: null })],
  ['pointZoom', () => ({ pointZoom: 9 }), () => ({ zoom: '9' })],
  ['pointZoom null', () => ({ pointZoom: null }), () => ({ zoom: '16' })],
  [
    'custom_fields',
    () => ({ custom_fields: '{"storey":{"value":3}}' }),
    () => ({ custom_fields: expect.stringContaining('"value":3') as string }),
  ],
  [
    'the day alone',
    () => ({ news_date: '06.03.2024' }),
    () => ({ news_date: '2024-03-06 08:20:00', deadline: expect.stringMatching(/^2024-03-06/) as string }),
  ],
  [
    'the hour alone',
    () => ({ news_hour: 9, news_date: '' }),
    () => ({ news_date: '2024-03-05 09:20:00', deadline: expect.stringMatching(/^2024-03-05/) as string }),
  ],
  [
    'the minute alone',
    () => ({ news_minute: '21' }),
    () => ({ news_date: '2024-03-05 08:21:00', deadline: expect.stringMatching(/^2024-03-05/) as string }),
  ],
  [
    'news_date, news_hour, news_minute',
    () => ({ news_date: '06.03.2024', news_hour: 9, news_minute: 15 }),
    () => ({ news_date: '2024-03-06 09:15:00', deadline: expect.stringMatching(/^2024-03-06/) as string }),
  ],
];

test.each(CHANGES)('an update with %s changes that, and nothing else', async (_name, body, changes) => {
  const id = await create(
    { news_date: '05.03.2024', news_hour: 8, news_minute: 20 },
    { point: [9.5, 47.1], pointZoom: 12 },
  );
  const before = await detail(id);
  expect(await ok('POST', `/news/${id}/update`, body())).toEqual({ res: 1, resText: '' });
  const after = await detail(id);
  const following = [
    'update_date',
    'assigned_change_date',
    'status_name',
    'news_type_name',
    'category_name',
    'assigned_department_name',
    'assigned_user_fio',
    'assigned_car_name',
    'units',
  ];
  const differing = Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => !isDeepStrictEqual(value, before[field]) && !following.includes(field),
    ),
  );
  expect(differing).toEqual(changes());
});

test('all of them at once are one update; 0, null and an empty text take assignees and the category away', async () => {
  const id = await create({ category: categories[0] });
  await ok('POST', `/news/${id}/update`, {
    title: 'Other',
    assigned_organization_id: roads,
    assigned_user_id: crew.id,
    assigned_car_id: van,
    confirmed: 1,
    archive: true,
    system_data: 'y',
  });
  expect(await detail(id)).toMatchObject({
    title: 'Other',
    assigned_to: String(roads),
    assigned_to_user: String(crew.id),
    assigned_car_id: String(van),
    assigned_status: '2',
    confirmed: '1',
    archive: 't',
    system_data: 'y',
  });
  await ok('POST', `/news/${id}/update`, {
    assigned_organization_id: 0,
    assigned_user_id: null,
    assigned_car_id: '',
    category_id: 0,
  });
  expect(await detail(id)).toMatchObject({
    assigned_to: null,
    assigned_department_name: null,
    assigned_to_user: null,
    assigned_user_fio: null,
    assigned_car_id: null,
    category_id: null,
    category_name: '',
    assigned_status: '1',
  });
});

test('a created task has every field that was sent', async () => {
  const values = {
    title: 'x'.repeat(255),
    text: 'Text',
    department_id: roads,
    category: categories[1],
    notice: 1,
    restricted: 't',
    address: 'Mill Road 1',
    system_data: 'z',
    news_date: '31.12.2025',
    news_hour: 23,
    news_minute: 59,
  };
  expect(await detail(await create(values, { point: [9.5, 47.1], pointZoom: 7 }))).toMatchObject({
    title: 'x'.repeat(255),
    text: 'Text',
    department_id: String(roads),
    department_title: 'Roads',
    category_id: String(categories[1]),
    notice: '1',
    restricted: 't',
    address: 'Mill Road 1',
    system_data: 'z',
    news_date: '2025-12-31 23:59:00',
    lon: '9.5',
    lat: '47.1',
    zoom: '7',
  });
  for (const [title, status] of [
    ['x'.repeat(256), 400],
    ['🔥'.repeat(256), 400],
    ['🔥'.repeat(255), 200],
    ['', 400],
    [' ', 400],
    ['x', 200],
  ] as const) {
    expect([title.length, (await ask('POST', '/news/', { values: { title, news_type_id: types[0] } })).status]).toEqual(
      [title.length, status],
    );
    const { newsId } = (await ask('POST', '/news/', { values: { title: 'Kept', news_type_id: types[0] } })).json();
    expect([
      title.length,
      (await ask('POST', `/news/${newsId}/update`, { title })).status,
      (await detail(newsId)).title,
    ]).toEqual([title.length, status, status === 200 ? title : 'Kept']);
  }
  expect((await detail(await create({ news_date: '31.12.2025' })))['news_date']).toBe('2025-12-31 00:00:00');
  expect((await detail(await create({ news_date: '31.12.2025', news_hour: 7 })))['news_date']).toBe(
    '2025-12-31 07:00:00',
  );
  expect(
    (await ask('POST', '/news/', { values: { title: 'x', news_type_id: types[0], news_minute: 60 } })).json(),
  ).toMatchObject({ res: 0, resText: expect.stringContaining('news_minute') });
});

test('an update chooses the title photo; an attachment that is not a photo is refused', async () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64').toString('latin1');
  const photo = async () => {
    const body = Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n${gif}\r\n--x--\r\n`,
      'latin1',
    );
    const answered = await fetch(`${station.station.address}/fileload?token=${admin}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    return ((await answered.json()) as { data: string[] }).data[0]!;
  };
  await create({ photo_main: 0 }); // a form says so with no photo, too
  expect(
    (await ask('POST', '/news/', { values: { title: 'x', news_type_id: types[0], photo_main: 3 } })).json(),
  ).toEqual({ res: 0, resText: 'photo_main 3 is not one of the 0 photos sent.' });
  const id = await create({}, { photos: [await photo(), await photo()] });
  await ok('POST', `/news/${id}/update`, { photo_main: 1 });
  expect(await detail(id)).toMatchObject({ num_main_photo: '1' });
  expect((await ask('POST', `/news/${id}/update`, { photo_main: 7, title: 'x' })).json()).toEqual({
    res: 0,
    resText: 'photo_main 7 is not a photo of the task.',
  });
  expect(await detail(id)).toMatchObject({ num_main_photo: '1', title: 'Burst pipe' });
});

test('the comment of an update is read by those whom its flags name, its author, and the administrators of the owning department', async () => {
  await ok('POST', '/rights', { name: 'Chief', admin: true });
  const people = {
    author: await station.newUser('author', 'Dispatcher'),
    writer: await station.newUser('writer', 'Dispatcher'),
    other: await station.newUser('other', 'Viewer'),
    ownChief: await station.newUser('own-chief', 'Chief'),
    theirChief: await station.newUser('their-chief', 'Chief', { organizationId: roads }),
    assigned: crew,
  };
  const id = await create({}, {}, people.author.token);
  await ok('POST', `/news/${id}/update`, { assigned_organization_id: roads, assigned_user_id: crew.id });
  const flags = {
    none: {},
    all: { updatecomment_visible_all: true },
    user: { updatecomment_visible_user: true },
    assigned_to: { updatecomment_visible_assigned_to: true },
    assigned_to_user: { updatecomment_visible_assigned_to_user: true },
  };
  for (const [name, flag] of Object.entries(flags))
    await ok('POST', `/news/${id}/update`, { update_comments: name, ...flag }, people.writer.token);
  const reads = async (as: string) =>
    (await ok('GET', `/news/${id}/comments`, undefined, as)).comments.map(
      ({ comment }: { comment: string }) => comment,
    );
  const everything = ['none', 'all', 'user', 'assigned_to', 'assigned_to_user'];
  const expected: Record<keyof typeof people, string[]> = {
    author: ['all', 'user'],
    writer: everything,
    other: ['all'],
    ownChief: everything,
    theirChief: ['all', 'assigned_to'],
    assigned: ['all', 'assigned_to_user'],
  };
  // They see the message by the right itself, so that only the comments differ.
  await ok('PUT', `/rights/${(await ok('GET', '/rights')).find(({ name }: { name: string }) => name === 'Chief').id}`, {
    accesses: [{ capability_id: 1, states: null }],
  });
  for (const [name, { token }] of Object.entries(people))
    expect(await reads(token), name).toEqual(expected[name as keyof typeof people]);
  expect(await reads(admin)).toEqual(everything);
});

test('a comment has 1 to 20 000 characters', async () => {
  const id = await create();
  for (const comment of ['', '  \n', 'x'.repeat(20_001), 7, null])
    expect(
      (await ask('POST', `/news/${id}/comments`, { action: 'post', comment })).json(),
      String(comment).slice(0, 9),
    ).toMatchObject({ res: 0, resText: expect.stringContaining('comment') });
  await ok('POST', `/news/${id}/comments`, { action: 'post', comment: 'x'.repeat(20_000) });
  // characters, not halves of them
  await ok('POST', `/news/${id}/comments`, { action: 'post', comment: '😀'.repeat(20_000) });
});

test('unknown fields are ignored, in bodies and in queries', async () => {
  const more = { colour: 'red', __unknown: [1] };
  const { newsId } = await ok('POST', '/news/', {
    values: { title: 'With more', news_type_id: types[0], ...more },
    ...more,
  });
  await ok('POST', `/news/${newsId}/update`, { title: 'With still more', ...more });
  await ok('POST', `/news/${newsId}/comments`, { action: 'post', comment: 'x', ...more });
  await ok('POST', '/category', { name: 'With more', ...more });
  await ok('POST', '/custom_field', { name: 'With more', format: 'int', ...more });
  for (const path of ['/news/count', '/news/stats', '/news/listAfterId/0/1']) await ok('GET', `${path}?colour=red`);
  expect((await detail(newsId)).title).toBe('With still more');
});

test.each(['👨‍👩‍👧‍👦', '👩🏻‍❤️‍💋‍👨🏿', '🇱🇮', 'e\u0301', 'ё'])(
  'a title has 255 characters as people count them: %s',
  async (character) => {
    const id = await create({ title: character.repeat(255) });
    expect((await detail(id))['title']).toBe(character.repeat(255));
    await ok('POST', `/news/${id}/update`, { title: `x${character.repeat(254)}` });
    for (const [path, body] of [
      ['/news/', { values: { title: character.repeat(256), news_type_id: types[0] } }],
      [`/news/${id}/update`, { title: character.repeat(256) }],
    ] as const) {
      const { status, text } = await ask('POST', path, body);
      expect([status, JSON.parse(text).resText]).toEqual([
        400,
        expect.stringMatching(/title must have at most 255 characters\.$/),
      ]);
    }
  },
);

test('characters that turn the direction of writing are taken out of titles', async () => {
  const id = await create({ title: `\u202eFire\u202c at \u2066Mill Road\u2069\u200f${'\u200e'.repeat(300)}` });
  expect((await detail(id))['title']).toBe('Fire at Mill Road');
  await ok('POST', `/news/${id}/update`, { title: 'Fire \u061cout\u202b' });
  expect((await detail(id))['title']).toBe('Fire out');
  for (const title of ['\u202e', ' \u2067 ']) {
    expect((await ask('POST', '/news/', { values: { title, news_type_id: types[0] } })).status).toBe(400);
    expect((await ask('POST', `/news/${id}/update`, { title })).status).toBe(400);
  }
});

test.each(['title', 'text', 'system_data', 'address'])(
  'a number or flag for the text %s is refused, as for any other',
  async (field) => {
    const id = await create();
    for (const value of [5, true, ['x'], { x: 1 }]) {
      const made = await ask('POST', '/news/', { values: { title: 'x', news_type_id: types[0], [field]: value } });
      expect([made.status, made.json().resText]).toEqual([400, `values.${field} must be a text.`]);
      const changed = await ask('POST', `/news/${id}/update`, { [field]: value });
      expect([changed.status, changed.json().resText]).toEqual([400, `${field} must be a text.`]);
    }
    for (const other of ['update_comments', 'confirmed_comment'])
      expect((await ask('POST', `/news/${id}/update`, { [other]: 5 })).json().resText).toBe(`${other} must be a text.`);
  },
);

test('a disabled assignee is refused under the name of the field', async () => {
  const gone = await station.newUser('gone', 'Viewer');
  await ok('PUT', `/users/${gone.id}`, { enabled: false });
  expect((await ask('POST', `/news/${await create()}/update`, { assigned_user_id: gone.id })).json().resText).toBe(
    'assigned_user_id: gone is disabled.',
  );
});

test('the description marks the flags that only clients use', async () => {
  const { paths } = await ok('GET', '/openapi.json');
  const bodyOf = (method: string, path: string) =>
    paths[path][method].requestBody.content['application/json'].schema.properties;
  for (const field of [
    bodyOf('post', '/news/').values.properties.restricted,
    bodyOf('post', '/news/{newsId}/update').restricted,
    bodyOf('post', '/newstype').departments,
    bodyOf('put', '/status/{id}').visible,
    bodyOf('post', '/custom_field').visible,
    bodyOf('post', '/users').visible,
  ]) {
    expect(field.description).toMatch(/[Ff]or clients/);
  }
});
