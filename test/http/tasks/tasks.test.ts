import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: { id: number; token: string };
let viewer: { id: number; token: string };
let stranger: { id: number; token: string };
let type: number;
let category: number;
let van: { id: number; glonassId: number };

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = await station.newUser('anna', 'Dispatcher');
  viewer = await station.newUser('ivan', 'Viewer');
  const roads = (await station.ask('POST', '/organizations', { as: admin, body: { name: 'Roads' } })).json();
  stranger = await station.newUser('olga', 'Dispatcher', { organizationId: roads.id });
  type = Number((await get('/newstype')).newstype[0].news_type_id);
  category = Number((await get('/category')).category[0].id);
  van = (await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 1', carNo: 'A 123' } })).json();
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers as a client without types does
async function get(path: string, as = admin): Promise<any> {
  const answered = await ask('GET', path, undefined, as);
  expect(answered.status, `${path}: ${answered.text}`).toBe(200);
  return answered.json();
}

async function create(values: object = {}, more: object = {}, as = admin): Promise<number> {
  const answered = await ask(
    'POST',
    '/news/',
    { action: 'put', values: { title: 'Burst pipe', news_type_id: type, ...values }, ...more },
    as,
  );
  expect(answered.status, answered.text).toBe(200);
  return answered.json().newsId;
}

const update = (id: number, body: object, as = admin) => ask('POST', `/news/${id}/update`, body, as);
const detail = async (id: number, as = admin) => (await get(`/news/${id}`, as)).news_data;

test('a message is created, read whole, and listed, in the interface’s shapes', async () => {
  const id = await create(
    {
      text: 'Water in the street',
      category,
      news_date: '05.03.2026',
      news_hour: '14',
      news_minute: 30,
      system_data: 'x=1',
    },
    { point: [9.52, 47.14] },
  );
  expect(Number.isInteger(id)).toBe(true);
  const data = await detail(id);
  expect(data).toMatchObject({
    id: String(id),
    title: 'Burst pipe',
    text: 'Water in the street',
    news_type_id: String(type),
    category_id: String(category),
    assigned_status: '1',
    status_name: 'New',
    confirmed: '0',
    archive: 'f',
    restricted: 'f',
    lon: '9.52',
    lat: '47.14',
    zoom: '16',
    system_data: 'x=1',
    assigned_to: null,
    assigned_to_user: null,
    num_main_photo: null,
    custom_fields: '{}',
    user_fio: 'Administrator',
    news_date: '2026-03-05 14:30:00',
    confirmed_comment: null,
  });
  expect(data.update_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d(:\d\d)?$/);
  const list = await get('/news/listAfterId/0/1?sortBy=id');
  expect(list).toMatchObject({ res: 1, resText: '', count_news: expect.any(Number) });
  expect(Object.keys(list.news_list[0]).sort()).toEqual([
    'archive',
    'assigned_change_date',
    'assigned_department_name',
    'assigned_status',
    'assigned_to',
    'assigned_to_user',
    'assigned_user_fio',
    'category_id',
    'category_name',
    'confirmed',
    'custom_fields',
    'deadline',
    'department_id',
    'department_logo',
    'department_title',
    'id',
    'lat',
    'lon',
    'news_date',
    'news_type_icon',
    'news_type_id',
    'news_type_name',
    'notice',
    'num_main_photo',
    'overdue',
    'priority',
    'restricted',
    'status_name',
    'system_data',
    'text',
    'title',
    'user_fio',
    'user_id',
    'zoom',
  ]);
  expect(list.news_list[0].news_date).toMatch(/^2026-03-05 14:30:00[+-]\d\d/);
});

test('the parts of a message have their own addresses', async () => {
  const id = await create(
    { text: `${'word '.repeat(60)}end`, news_date: '05.03.2026', news_hour: 9, news_minute: 5 },
    { point: ['9.5', '47.1'] },
  );
  expect((await get(`/news/${id}/shortdata`)).news).toMatchObject({
    id: String(id),
    date: '05.03.2026 09:05',
    point: 1,
    photos: 0,
    video: 0,
    archive: 'f',
    shorttext: expect.stringMatching(/word…$/),
  });
  expect(await get(`/news/${id}/text`)).toMatchObject({ res: 1, text: expect.stringMatching(/end$/) });
  expect((await get(`/news/${id}/point`)).point).toEqual(['9.5', '47.1']);
  expect((await get(`/news/${await create()}/shortdata`)).news.point).toBe(0);
});

test('a form is decoded by the character set that it declares, or refused in words', async () => {
  const percent = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const send = (title: string, charset: string) =>
    station.ask('POST', '/news/', {
      as: admin,
      body: `values[title]=${title}&values%5Bnews_type_id%5D=${type}`,
      headers: { 'content-type': `application/x-www-form-urlencoded${charset}` },
    });
  const titleOf = async (answered: TestResponse) =>
    (await station.ask('GET', `/news/${answered.json().newsId}`, { as: admin })).json().news_data.title;
  // "Пожар на" in three character sets.
  const cp1251 = percent([0xcf, 0xee, 0xe6, 0xe0, 0xf0, 0x20, 0xed, 0xe0]);
  expect(await titleOf(await send(cp1251, '; charset=windows-1251'))).toBe('Пожар на');
  expect(await titleOf(await send(percent([0xf0, 0xcf, 0xd6, 0xc1, 0xd2]), '; charset="KOI8-R"'))).toBe('Пожар');
  expect(await titleOf(await send(`${percent([...Buffer.from('Пожар')])}+x`, '; charset=utf-8'))).toBe('Пожар x');
  expect(await titleOf(await send('caf%e9%26+%3D', '; charset=ISO-8859-1'))).toBe('café& =');
  for (const charset of ['', '; charset=utf-8'])
    expect([(await send(cp1251, charset)).status, (await send(cp1251, charset)).json().resText]).toEqual([
      400,
      'The form is not UTF-8; name its character set in the Content-Type.',
    ]);
  expect((await send('x', '; charset=klingon')).json().resText).toBe(
    'The character set klingon of the form is not supported; send UTF-8.',
  );
  expect((await send('x', '; charset=utf-16le')).json().resText).toBe(
    'The character set utf-16le of the form is not supported; send UTF-8.',
  );
  expect((await send('%81%ff', '; charset=shift_jis')).json().resText).toBe(
    'The form is not in the character set shift_jis that its header names.',
  );
  expect((await send('%zz', '; charset=windows-1251')).json().resText).toBe(
    'The form is not correctly percent-encoded.',
  );
  expect(await titleOf(await send(`a=${cp1251}`, '; charset=windows-1251'))).toBe('a=Пожар на');
  // Fields are counted before any is decoded.
  for (const [title, charset] of [
    ['x', ''],
    ['%81%ff', '; charset=shift_jis'],
  ] as const)
    expect((await send(title + '&'.repeat(5000), charset)).json().resText).toBe('The form has too many fields.');
});

test('JSON that is not UTF-8 is refused', async () => {
  const body = Buffer.concat([
    Buffer.from('{"values":{"title":"'),
    Buffer.from([0xcf, 0xee]),
    Buffer.from(`","news_type_id":${type}}}`),
  ]);
  const answered = await fetch(`${station.station.address}/news/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'authorization': `Bearer ${admin}` },
  });
  expect([answered.status, await answered.json()]).toEqual([400, { res: 0, resText: 'The body is not UTF-8.' }]);
});

test('forms are understood as older clients send them', async () => {
  const form = new URLSearchParams({
    'action': 'put',
    'values[title]': 'Из формы',
    'values[news_type_id]': String(type),
    'values[category]': '',
    'point[0]': '9.52',
    'point[1]': '47.14',
  });
  const answered = await station.ask('POST', '/news/', {
    as: admin,
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answered.status, answered.text).toBe(200);
  const id = answered.json().newsId;
  expect(await detail(id)).toMatchObject({ title: 'Из формы', lon: '9.52', category_id: null });
  const change = await station.ask('POST', `/news/${id}/update`, {
    as: admin,
    body: 'assigned_status=4&archive=true&point=',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(change.status, change.text).toBe(200);
  expect(await detail(id)).toMatchObject({ assigned_status: '4', archive: 't', lon: null });
});

test('assigning a vehicle takes one step, and the history tells it field by field', async () => {
  const id = await create({}, {}, dispatcher.token);
  await update(id, { assigned_car_id: van.id }, dispatcher.token);
  expect(await detail(id)).toMatchObject({
    assigned_status: '2',
    assigned_car_id: String(van.id),
    assigned_car_name: 'Van 1',
  });
  await update(
    id,
    { assigned_status: 4, update_comments: 'Repaired', updatecomment_visible_all: true },
    dispatcher.token,
  );
  const { history } = await get(`/news/${id}/history`);
  expect(
    history.map((entry: { field: string; from: unknown; to: unknown; fio: string }) => [
      entry.field,
      entry.from,
      entry.to,
      entry.fio,
    ]),
  ).toEqual([
    ['assigned_status', 1, 2, 'anna'],
    ['assigned_car_id', 0, van.id, 'anna'],
    ['assigned_status', 2, 4, 'anna'],
  ]);
  expect((await get(`/news/${id}/comments`)).comments).toMatchObject([
    { comment: 'Repaired', update_text: 'assigned_status', fio: 'anna', level: '0', reference_id: null },
  ]);
  expect(
    (await ask('PUT', `/news/${id}/update`, { assigned_car_id: 0, assigned_status: 1 }, dispatcher.token)).status,
  ).toBe(200);
  expect(await detail(id)).toMatchObject({ assigned_status: '1', assigned_car_id: null });
});

test('the date of a message can be corrected, and the history says so', async () => {
  const id = await create({ news_date: '05.03.2026', news_hour: 9, news_minute: 5 });
  expect((await update(id, { news_date: '06.03.2026', news_hour: 23, news_minute: 59 })).status).toBe(200);
  expect((await get(`/news/${id}`)).news_data.news_date).toBe('2026-03-06 23:59:00');
  expect((await get(`/news/${id}/history`)).history).toMatchObject([{ field: 'news_date' }]);
  expect((await update(id, { news_date: '31.02.2026' })).json().resText).toContain('news_date');
});

test('an update is all or nothing: a refused part leaves no trace of the others', async () => {
  const id = await create();
  const refused = await update(id, { title: 'Other', assigned_user_id: 987_654 });
  expect(refused.status).toBe(400);
  expect(refused.json()).toEqual({ res: 0, resText: 'assigned_user_id 987654 does not exist.' });
  expect(await detail(id)).toMatchObject({ title: 'Burst pipe' });
  expect((await get(`/news/${id}/history`)).history).toEqual([]);
  // What is written before the fault is found goes, too: files, and whatever comes before a comment that is
  // none.
  const form =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\n\r\nKey under the mat\r\n--x--\r\n';
  const file = (
    await station.ask('POST', '/fileload', {
      as: admin,
      body: form,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
  ).json().data[0];
  expect((await update(id, { files: [{ file }], text: 'With a note', assigned_user_id: 987_654 })).status).toBe(400);
  expect((await update(id, { files: [{ file }], text: 'With a note', update_comments: ['no text'] })).status).toBe(400);
  expect([
    (await get(`/news/${id}/files`)).files,
    (await get(`/news/${id}/shortdata`)).news.files,
    (await get(`/news/${id}/comments`)).comments,
  ]).toEqual([[], 0, []]);
  expect((await update(id, { files: [{ file }], text: 'With a note' })).status).toBe(200);
  expect((await get(`/news/${id}/files`)).files).toMatchObject([{ num: '0' }]);
});

test('comments make a tree; an answer to a comment of another message is refused', async () => {
  const [one, two] = [await create(), await create()];
  const post = (id: number, comment: string, reference?: string) =>
    ask(
      'POST',
      `/news/${id}/comments`,
      { action: 'post', comment, ...(reference ? { reference_id: reference } : {}) },
      dispatcher.token,
    );
  await post(one, 'first');
  await post(one, 'second');
  const [first] = (await get(`/news/${one}/comments`)).comments;
  expect((await post(one, 'answer', first.id)).status).toBe(200);
  expect(
    (await get(`/news/${one}/comments`)).comments.map(
      (each: { comment: string; level: string }) => `${each.level} ${each.comment}`,
    ),
  ).toEqual(['0 first', '1 answer', '0 second']);
  expect((await get(`/news/${one}/comments`, viewer.token)).comments).toHaveLength(3);
  expect((await post(two, 'stray', first.id)).json()).toMatchObject({
    res: 0,
    resText: expect.stringContaining('reference_id'),
  });
  expect((await post(two, '')).status).toBe(400);
});

test('deleting hides, and only an administrator brings it back', async () => {
  const id = await create({}, {}, dispatcher.token);
  const act = (action: string, as: string) => ask('POST', `/news/${id}/`, { action }, as);
  expect((await act('delete', dispatcher.token)).status).toBe(403);
  expect((await act('restore', dispatcher.token)).status).toBe(403);
  expect((await act('delete', admin)).status).toBe(200);
  for (const path of ['', '/text', '/point', '/shortdata', '/history', '/comments'])
    expect((await ask('GET', `/news/${id}${path}`)).status).toBe(404);
  expect((await update(id, { title: 'x' }, dispatcher.token)).status).toBe(404);
  expect((await act('restore', dispatcher.token)).status).toBe(404);
  expect((await act('restore', admin)).status).toBe(200);
  expect((await act('restore', admin)).status).toBe(400);
  expect((await detail(id)).title).toBe('Burst pipe');
});

test('a task that the caller may not see is 404, a forbidden action on a visible one 403', async () => {
  const id = await create();
  expect((await ask('GET', `/news/${id}`, undefined, stranger.token)).status).toBe(404);
  for (const body of [{ title: 'x' }, {}]) expect((await update(id, body, stranger.token)).status).toBe(404);
  expect((await ask('GET', `/news/${id}`, undefined, viewer.token)).status).toBe(200);
  expect((await update(id, { title: 'x' }, viewer.token)).status).toBe(403);
  expect((await update(id, {}, viewer.token)).status).toBe(200); // nothing is changed
  expect((await ask('POST', '/news/', { values: { title: 'x', news_type_id: type } }, viewer.token)).status).toBe(403);
  expect((await station.ask('GET', `/news/${id}`)).status).toBe(401);
  await update(id, { assigned_user_id: stranger.id });
  expect((await ask('GET', `/news/${id}`, undefined, stranger.token)).status).toBe(200);
  expect((await get('/news/listAfterId/0/0', stranger.token)).count_news).toBe(0);
  expect(
    (await get('/news/listAfterId/0/0?withAssigned=true', stranger.token)).news_list.map(
      (each: { id: string }) => each.id,
    ),
  ).toEqual([String(id)]);
});

test('a number out of its bounds is a 400 that names them', async () => {
  const id = await create();
  for (const [order, says] of [
    [{ assigned_status: 5 }, 'assigned_status must be a whole number from 1 to 4.'],
    [{ confirmed: '3' }, 'confirmed must be a whole number from 0 to 2.'],
    [{ pointZoom: 99 }, 'pointZoom must be a whole number from 0 to 22.'],
  ] as const)
    expect((await ask('POST', `/news/${id}/update`, order)).json()).toEqual({ res: 0, resText: says });
});

test.each([
  ['no title', { values: { news_type_id: 1 } }, 'values.title'],
  ['an empty title', { values: { title: '', news_type_id: 1 } }, 'values.title'],
  ['a title of spaces', { values: { title: '   ', news_type_id: 1 } }, 'title'],
  ['a title of 256 characters', { values: { title: 'x'.repeat(256), news_type_id: 1 } }, 'values.title'],
  ['no type', { values: { title: 'x' } }, 'values.news_type_id'],
  ['an unknown type', { values: { title: 'x', news_type_id: 999 } }, 'news_type_id'],
  ['an unknown category', { values: { title: 'x', news_type_id: 1, category: 999 } }, 'category'],
  ['an unknown department', { values: { title: 'x', news_type_id: 1, department_id: 999 } }, 'department_id'],
  ['a day that is none', { values: { title: 'x', news_type_id: 1, news_date: '31.02.2026' } }, 'news_date'],
  ['an hour that is none', { values: { title: 'x', news_type_id: 1, news_hour: 24 } }, 'news_hour'],
  ['half a point', { values: { title: 'x', news_type_id: 1 }, point: [1] }, 'point'],
  ['a point off the globe', { values: { title: 'x', news_type_id: 1 }, point: [181, 0] }, 'point'],
  ['custom fields that are no JSON', { values: { title: 'x', news_type_id: 1, custom_fields: '{' } }, 'custom_fields'],
  [
    'an unknown custom field',
    { values: { title: 'x', news_type_id: 1, custom_fields: '{"a":{"field_id":1,"value":2}}' } },
    'custom_fields',
  ],
  ['no values', {}, 'values'],
  ['values that are no object', { values: 5 }, 'values'],
])('%s is a 400 that names the field', async (_name, body, field) => {
  const answered = await ask('POST', '/news/', body);
  expect(answered.status).toBe(400);
  expect(answered.json().res).toBe(0);
  expect(answered.json().resText).toContain(field);
});

test.each([
  'assigned_status=5',
  'assigned_status=0',
  'confirmed=3',
  'archive=maybe',
  'point=1',
  'pointZoom=99',
  'news_type_id=0',
  'title=',
  'category_id=-1',
])('an update with %s is a 400', async (form) => {
  const id = await create();
  const answered = await station.ask('POST', `/news/${id}/update`, {
    as: admin,
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answered.status, answered.text).toBe(400);
  expect(answered.json().res).toBe(0);
});

test.each([
  '/news/listAfterId/x/0',
  '/news/listAfterId/0/-1',
  '/news/listAfterId/0/0/3',
  '/news/listAfterId/0/0?onlyStatus=a',
  '/news/listAfterId/0/0?sortBy=title',
  '/news/listAfterId/0/0?withAssigned=perhaps',
  '/news/listAfterId/0/0?gtUpdateDate=yesterday',
  '/news/listAfterId/99999/0',
  '/news/count?date_from=x',
  '/news/abc',
])('%s is a 400 in the envelope', async (path) => {
  const answered = await ask('GET', path);
  expect(answered.status, answered.text).toBe(400);
  expect(answered.json()).toMatchObject({ res: 0, resText: expect.stringMatching(/./) });
});

test('the list narrows by confirmation in its path, cuts the page at 500 and gives 50 by default', async () => {
  const ids = [];
  for (let index = 0; index < 55; index++) ids.push(await create({}, {}, dispatcher.token));
  await update(ids[0]!, { confirmed: 1 });
  expect((await get('/news/listAfterId/0/0')).news_list).toHaveLength(50);
  expect((await get('/news/listAfterId/0/100000')).news_list.length).toBeGreaterThan(50);
  expect((await get('/news/listAfterId/0/0/1')).news_list.map((each: { id: string }) => each.id)).toEqual([
    String(ids[0]),
  ]);
  const { countNews, statuses } = await get('/news/count');
  expect(statuses.reduce((sum: number, each: { count: number }) => sum + each.count, 0)).toBe(countNews);
  expect((await get('/news/listAfterId/0/1')).count_news).toBe(countNews);
});

test('counts are bounded by the date of the message, both ends included', async () => {
  const at = new Date(2020, 0, 15, 10, 0).getTime() / 1000;
  await create({ news_date: '15.01.2020', news_hour: 10, news_minute: 0 });
  expect((await get(`/news/count?date_from=${at}&date_till=${at}`)).countNews).toBe(1);
  expect((await get(`/news/count?date_from=${at - 100}&date_till=${at - 1}`)).countNews).toBe(0);
  expect((await get(`/news/count?date_from=${at - 100}&date_till=${at + 100}&status_id=2,3`)).countNews).toBe(0);
});

test('a message is due by the period of its type, and overdue until it is done', async () => {
  const { newstype } = (await ask('POST', '/newstype', { name: 'Lift', period_of_review: '02:00:00' })).json();
  const id = await create({
    news_type_id: Number(newstype.id),
    news_date: '05.03.2024',
    news_hour: 14,
    news_minute: 30,
  });
  expect(await detail(id)).toMatchObject({ deadline: expect.stringMatching(/^2024-03-05 16:30:00[+-]/), overdue: 't' });
  await update(id, { assigned_status: 4 });
  expect(await detail(id)).toMatchObject({ overdue: 'f' });
  await update(id, { assigned_status: 3 });
  await ask('PUT', `/newstype/${newstype.id}`, { period_of_review_in_sec: 0 });
  expect(await detail(id)).toMatchObject({ deadline: null, overdue: 'f' });
});

test('a deleted task can only be restored', async () => {
  const id = await create();
  expect((await ask('POST', `/news/${id}/`, { action: 'delete' })).status).toBe(200);
  expect((await update(id, { title: 'x' })).status).toBe(404);
  expect((await ask('POST', `/news/${id}/`, { action: 'delete' })).status).toBe(404);
  expect((await ask('POST', `/news/${id}/comments`, { action: 'post', comment: 'x' })).status).toBe(404);
  expect((await ask('POST', `/news/${id}/`, { action: 'restore' })).status).toBe(200);
  expect((await detail(id)).title).toBe('Burst pipe');
});

test('statistics count by status for each category, type, department and assigned department', async () => {
  const day = Date.UTC(2019, 3, 7, 12) / 1000;
  const id = await create({ news_date: '07.04.2019', news_hour: 12, category });
  await create({ news_date: '07.04.2019', news_hour: 13 });
  const organizationId = Number((await detail(id)).department_id);
  await update(id, { assigned_status: 4, assigned_organization_id: organizationId });
  const statuses = (fresh: number, done: number) => [
    { status_id: 1, count: fresh },
    { status_id: 2, count: 0 },
    { status_id: 3, count: 0 },
    { status_id: 4, count: done },
  ];
  const bounds = `date_from=${day - 86_400}&date_till=${day + 86_400}`;
  expect(await get(`/news/stats?${bounds}`)).toEqual({
    res: 1,
    resText: '',
    statuses: statuses(1, 1),
    categories: [{ category_id: category, statuses: statuses(0, 1) }],
    types: [{ type_id: type, statuses: statuses(1, 1) }],
    departments: [{ department_id: organizationId, statuses: statuses(1, 1) }],
    assignedDepartments: [{ assigned_department_id: organizationId, statuses: statuses(0, 1) }],
  });
  await update(id, { archive: true });
  expect((await get(`/news/stats?${bounds}`)).statuses).toEqual(statuses(1, 0));
  expect((await get(`/news/stats?${bounds}&withArchive=true`)).statuses).toEqual(statuses(1, 1));
  expect(await get(`/news/count?${bounds}&withArchive=true`)).toMatchObject({ countNews: 2, statuses: statuses(1, 1) });
  expect((await get(`/news/stats?${bounds}`, stranger.token)).statuses).toEqual(statuses(0, 0));
});

test('without a territory vehicles are recommended by air distance, and every entry says so', async () => {
  const near = (await ask('POST', '/cars', { name: 'Van 2' })).json();
  await ask('POST', '/telemetry', [
    { glonassId: van.glonassId, time: Date.now() - 5_000, lat: 47.2, lon: 9.52, speed: 0 },
    { glonassId: near.glonassId, time: Date.now() - 5_000, lat: 47.15, lon: 9.52, speed: 0 },
  ]);
  const id = await create({}, { point: [9.52, 47.14] });
  const ranked = await get(`/news/${id}/recommendations`);
  expect(ranked.map((each: { carName: string; rank: number }) => `${each.rank} ${each.carName}`)).toEqual([
    '1 Van 2',
    '2 Van 1',
  ]);
  expect(ranked[0]).toMatchObject({
    carId: near.id,
    time: null,
    distance: null,
    available: true,
    reasons: [expect.stringContaining('no territory is loaded')],
    reasonCodes: [{ code: 'no-road-times', metres: expect.any(Number) }],
  });
  expect(await get('/recommendations?lon=9.52&lat=47.14')).toHaveLength(2);
  await update(id, { assigned_car_id: near.id });
  const busy = await get(`/news/${id}/recommendations`);
  expect(busy.at(-1)).toMatchObject({
    carName: 'Van 2',
    available: false,
    busyWith: id,
    reasons: expect.arrayContaining([`busy with task ${id}`]),
  });
  expect((await ask('GET', `/news/${await create()}/recommendations`)).json()).toMatchObject({
    res: 0,
    resText: 'The task has no point.',
  });
  expect((await ask('GET', '/recommendations?lon=500&lat=0')).status).toBe(400);
});

test('a vehicle that is out of service is not sent', async () => {
  const id = await create();
  const broken = (await ask('POST', '/cars', { name: 'Van 9' })).json();
  expect((await ask('PUT', `/cars/${broken.id}/status`, { status: 6 })).status).toBe(200);
  expect((await update(id, { assigned_car_id: broken.id })).json()).toEqual({
    res: 0,
    resText: 'assigned_car_id: Van 9 is out of service.',
  });
});
