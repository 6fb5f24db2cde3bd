import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { tryStation, type TryStation } from '../try-station.ts';

/**
 * A control room with one message for each thing that a list may ask about. Roads is another department, with
 * a chief who administers it and a clerk who does not.
 */
let station: TryStation;
let admin: string;
let anna: { id: number; token: string };
let chief: { id: number; token: string };
let clerk: { id: number; token: string };
let home: number;
let roads: number;
let types: number[];
let categories: number[];
let feedback: string;
const ids = new Map<string, number>();

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  home = (await ok('GET', '/users/current')).organizationId;
  roads = (await ok('POST', '/organizations', { name: 'Roads' })).id;
  await ok('POST', '/rights', { name: 'Chief', admin: true });
  await ok('POST', '/rights', { name: 'Clerk' });
  anna = await station.newUser('anna', 'Dispatcher');
  chief = await station.newUser('chief', 'Chief', { organizationId: roads });
  clerk = await station.newUser('clerk', 'Clerk', { organizationId: roads });
  types = (await ok('GET', '/newstype')).newstype.map((type: { news_type_id: string }) => Number(type.news_type_id));
  categories = (await ok('GET', '/category')).category.map((category: { id: string }) => Number(category.id));
  feedback = (await ok('POST', '/news/states', { name: 'Feedback', field: 'assigned_status', value: 3 })).state.id;
  await create('plain');
  await create('category', { category: categories[1] });
  await create('type', { news_type_id: types[2] });
  await create('point', {}, { point: [9.5, 47.1] });
  await create('photo', {}, { photos: [await upload(GIF, 'a.gif')] });
  await create('video', {}, { video: [await upload(MP4, 'a.mp4')] });
  await create('file', {}, { files: [await upload(Buffer.from('plan'), 'plan.txt')] });
  await create('sound', {}, { sounds: [await upload(WAV, 'a.wav')] });
  await update(await create('to roads'), { assigned_organization_id: roads });
  await update(await create('to clerk'), { assigned_user_id: clerk.id });
  await update(await create('answer of roads'), { assigned_organization_id: roads, assigned_status: 3 });
  await update(await create('done by roads'), { assigned_organization_id: roads, assigned_status: 4 });
  await update(await create('answer of nobody'), { assigned_status: 3 });
  await update(await create('archived'), { archive: true });
  await create('of anna', {}, {}, anna.token);
  await create('in roads', { department_id: roads });
  await update(await create('approved'), { confirmed: 1 });
  await create('old', { news_date: '15.01.2020', news_hour: 10, news_minute: 0 });
  // Changed last, in a millisecond of its own.
  for (const before = Date.now(); Date.now() === before;) await new Promise((resolve) => setImmediate(resolve));
  await update(ids.get('type')!, { text: 'changed last' });
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
async function create(title: string, values: object = {}, more: object = {}, as = admin): Promise<number> {
  const { newsId } = await ok(
    'POST',
    '/news/',
    {
      values: {
        title,
        news_type_id: types[0],
        news_date: '01.03.2026',
        news_hour: 10,
        news_minute: ids.size,
        ...values,
      },
      ...more,
    },
    as,
  );
  ids.set(title, newsId);
  return newsId;
}
const update = (id: number, body: object) => ok('POST', `/news/${id}/update`, body);

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const WAV = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(28)]);
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypisom\0\0\x02\0isommp41'), Buffer.alloc(40)]);

async function upload(bytes: Uint8Array, name: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const response = await fetch(`${station.station.address}/fileload?token=${admin}`, { method: 'POST', body: form });
  return ((await response.json()) as { data: string[] }).data[0]!;
}

interface Item {
  id: string;
  title: string;
  news_date: string;
  user_id: string;
  news_type_id: string;
  category_id: string | null;
}
const list = async (query: string, as = admin, page = '0/500'): Promise<{ news_list: Item[]; count_news: number }> =>
  ok('GET', `/news/listAfterId/${page}?${query}`, undefined, as);
/**
 * The titles that a list has, in the order in which the messages were made; and the number that it says there
 * are.
 */
async function titles(query: string, as = admin): Promise<string[]> {
  const { news_list: items, count_news: count } = await list(`sortBy=id&sortDirection=asc&${query}`, as);
  expect(count).toBe(items.length);
  return items.map(({ title }) => title);
}
const current = () => [...ids.keys()].filter((title) => title !== 'archived');

test.each<[string, () => string, () => string[]]>([
  ['nothing', () => '', () => current()],
  ['withArchive', () => 'withArchive=true', () => [...ids.keys()]],
  ['onlyMy', () => 'onlyMy=true', () => current().filter((title) => title !== 'of anna')],
  [
    'onlyMy, beside which onlyStatus says nothing',
    () => 'onlyMy=true&onlyStatus=4',
    () => current().filter((title) => title !== 'of anna'),
  ],
  ['onlyStatus', () => 'onlyStatus=2,4', () => ['to roads', 'to clerk', 'done by roads']],
  ['onlyStates', () => `onlyStates=${feedback}`, () => ['answer of roads', 'answer of nobody']],
  ['onlyAssigned', () => 'onlyAssigned=true', () => ['to roads', 'to clerk', 'answer of roads']],
  ['category_id', () => `category_id=${categories[1]}`, () => ['category']],
  ['category_id, of several', () => `category_id=${categories[0]},${categories[1]}`, () => ['category']],
  ['type_id', () => `type_id=${types[2]}`, () => ['type']],
  ['hasPoint', () => 'hasPoint=true', () => ['point']],
  ['hasPhoto', () => 'hasPhoto=true', () => ['photo']],
  ['hasVideo', () => 'hasVideo=true', () => ['video']],
  ['hasFile', () => 'hasFile=true', () => ['file']],
  ['hasAudio', () => 'hasAudio=true', () => ['sound']],
  ['department_id', () => `department_id=${roads}`, () => ['in roads']],
  [
    'assigned_department_id',
    () => `assigned_department_id=${roads}`,
    () => ['to roads', 'answer of roads', 'done by roads'],
  ],
  ['date_till', () => `date_till=${new Date(2020, 0, 15, 10).getTime() / 1000}`, () => ['old']],
  [
    'date_from',
    () => `date_from=${new Date(2020, 0, 15, 10, 1).getTime() / 1000}`,
    () => current().filter((title) => title !== 'old'),
  ],
  ['gtUpdateDate', () => 'gtUpdateDate=01.01.2020 00:00', () => current()],
  ['gtUpdateDate to come', () => 'gtUpdateDate=01.01.2199 00:00', () => []],
  ['ltUpdateDate', () => 'ltUpdateDate=01.01.2199 00:00', () => current()],
  ['ltUpdateDate long ago', () => 'ltUpdateDate=01.01.2020 00:00', () => []],
  ['two at once', () => `onlyStatus=3&assigned_department_id=${roads}`, () => ['answer of roads']],
  [
    'what is false or empty',
    () => 'withArchive=false&onlyMy=f&hasPoint=0&hasPhoto=&onlyStatus=&category_id=&gtUpdateDate=&date_from=',
    () => current(),
  ],
])('a list with %s holds what the interface says', async (_name, query, expected) => {
  expect(await titles(query())).toEqual(expected());
});

test('withAssigned and withClosed add tasks that other departments assigned to the user, or to an administrator’s department', async () => {
  expect(await titles('', chief.token)).toEqual(['in roads']);
  expect(await titles('withAssigned=true', chief.token)).toEqual(['to roads', 'answer of roads', 'in roads']);
  expect(await titles('withClosed=true', chief.token)).toEqual(['done by roads', 'in roads']);
  expect(await titles('withAssigned=true', clerk.token)).toEqual(['to clerk', 'in roads']);
  expect(await titles('withClosed=true&withAssigned=true', clerk.token)).toEqual([
    'to clerk',
    'done by roads',
    'in roads',
  ]);
});

test('confirmedType stands in the path', async () => {
  const confirmed = async (type: number) =>
    (await list('', admin, `0/500/${type}`)).news_list.map(({ title }) => title);
  expect(await confirmed(1)).toEqual(['approved']);
  expect(await confirmed(2)).toEqual([]);
  expect(await confirmed(0)).toHaveLength(current().length - 1);
});

test('lists sort by the requested field, then by id in the same direction; by default by date, newest first', async () => {
  const items = (await list('sortBy=id&sortDirection=asc')).news_list;
  const none = (value: string | null) => Number(value ?? 0);
  const by: Record<string, (item: Item) => number | string> = {
    news_date: (item) => item.news_date,
    id: (item) => Number(item.id),
    user_id: (item) => Number(item.user_id),
    news_type_id: (item) => Number(item.news_type_id),
    category_id: (item) => none(item.category_id),
  };
  const ordered = (value: (item: Item) => number | string) =>
    items
      .toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : Number(a.id) - Number(b.id)))
      .map(({ title }) => title);
  for (const [sortBy, value] of Object.entries(by)) {
    const up = ordered(value);
    expect(
      (await list(`sortBy=${sortBy}&sortDirection=asc`)).news_list.map(({ title }) => title),
      sortBy,
    ).toEqual(up);
    expect(
      (await list(`sortBy=${sortBy}&sortDirection=desc`)).news_list.map(({ title }) => title),
      sortBy,
    ).toEqual(up.toReversed());
    expect(
      (await list(`sortBy=${sortBy}`)).news_list.map(({ title }) => title),
      sortBy,
    ).toEqual(up.toReversed());
  }
  for (const query of ['', 'sortBy=&sortDirection='])
    expect((await list(query)).news_list.map(({ title }) => title)).toEqual(ordered(by['news_date']!).toReversed());
  expect((await list('sortBy=update_date')).news_list[0]!.title).toBe('type');
  expect((await list('sortBy=update_date&sortDirection=asc')).news_list.at(-1)!.title).toBe('type');
});

test('paging by the last id of a page visits each message once, whatever the order', async () => {
  for (const sortBy of ['news_date', 'update_date', 'id', 'user_id', 'news_type_id', 'category_id']) {
    const whole = (await list(`sortBy=${sortBy}&sortDirection=asc`)).news_list.map(({ id }) => id);
    const visited: string[] = [];
    for (let page = ['0']; page.length > 0;) {
      const { news_list: items, count_news: count } = await list(
        `sortBy=${sortBy}&sortDirection=asc`,
        admin,
        `${page.at(-1)}/4`,
      );
      expect(count).toBe(whole.length);
      visited.push(...(page = items.map(({ id }) => id)));
    }
    expect(visited, sortBy).toEqual(whole);
  }
});

test.each<[string, () => string, () => string[]]>([
  ['category_id', () => `category_id=${categories[1]}`, () => ['category']],
  ['type_id', () => `type_id=${types[2]}`, () => ['type']],
  ['status_id', () => 'status_id=3,4', () => ['answer of roads', 'done by roads', 'answer of nobody']],
  ['department_id', () => `department_id=${roads}`, () => ['in roads']],
  [
    'assigned_department_id',
    () => `assigned_department_id=${roads}`,
    () => ['to roads', 'answer of roads', 'done by roads'],
  ],
  ['withArchive', () => 'withArchive=true', () => [...ids.keys()]],
  ['a bound of time', () => `date_till=${new Date(2021, 0, 1).getTime() / 1000}`, () => ['old']],
  ['nothing', () => '', () => current()],
])('a count with %s counts what the interface says', async (_name, query, expected) => {
  expect((await ok('GET', `/news/count?${query()}`)).countNews).toBe(expected().length);
});

test('a list item and a single task are presented with all their fields', async () => {
  await ok('PUT', `/newstype/${types[4]}`, { icon: 'drop.png', period_of_review_in_sec: 3600 });
  await ok('PUT', `/status/2`, { name: 'Given out' });
  await ok('PUT', `/organizations/${home}`, { logo: 'home.svg' });
  const id = await create(
    'whole',
    {
      text: 'Everything',
      news_type_id: types[4],
      category: categories[0],
      notice: 2,
      restricted: true,
      address: 'Mill Road 1',
      system_data: 'x=1',
    },
    { point: [9.5, 47.1], pointZoom: 12, photos: [await upload(GIF, 'b.gif')] },
    anna.token,
  );
  await update(id, { assigned_organization_id: roads, assigned_user_id: clerk.id });
  // The status has changed before, the message after that.
  for (
    const second = await changedIn(id);
    (await changedIn(id)) === second;
    await update(id, { text: `Everything ${Date.now()}` })
  )
    await new Promise((resolve) => setTimeout(resolve, 200));
  await update(id, { text: 'Everything', confirmed: 2, confirmed_comment: 'Look again', archive: true });
  const news_date = expect.stringMatching(/^2026-03-01 10:\d\d:00[+-]\d\d(:\d\d)?$/) as string;
  const changed = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d(:\d\d)?$/) as string;
  const item = {
    id: String(id),
    department_id: String(home),
    department_logo: 'home.svg',
    department_title: 'Control room',
    news_date,
    confirmed: '2',
    title: 'whole',
    text: 'Everything',
    news_type_id: String(types[4]),
    category_id: String(categories[0]),
    assigned_to: String(roads),
    assigned_department_name: 'Roads',
    assigned_to_user: String(clerk.id),
    assigned_user_fio: 'clerk',
    assigned_status: '2',
    status_name: 'Given out',
    assigned_change_date: changed,
    restricted: 't',
    notice: '2',
    news_type_icon: 'drop.png',
    news_type_name: 'Water and sewerage',
    num_main_photo: '0',
    archive: 't',
    category_name: 'Emergency',
    priority: '1',
    system_data: 'x=1',
    lon: '9.5',
    lat: '47.1',
    zoom: '12',
    custom_fields: '{}',
    user_id: String(anna.id),
    user_fio: 'anna',
    deadline: expect.stringMatching(/^2026-03-01 11:/) as string,
    overdue: 't',
  };
  const [listed] = (await list(`withArchive=true&type_id=${types[4]}`)).news_list;
  expect(listed).toEqual(item);
  const { news_data: detail } = await ok('GET', `/news/${id}`);
  expect(detail).toEqual({
    ...item,
    news_date: expect.stringMatching(/^2026-03-01 10:\d\d:00$/),
    confirmed_comment: 'Look again',
    news_type_logo: 'drop.png',
    update_date: changed,
    assigned_car_id: null,
    assigned_car_name: null,
    address: 'Mill Road 1',
    units: [],
    answers: [],
  });
  expect(detail.update_date > detail.assigned_change_date).toBe(true);
  expect(await ok('GET', `/news/${id}/shortdata`)).toEqual({
    res: 1,
    resText: '',
    news: {
      id: String(id),
      news_date,
      date: expect.stringMatching(/^01\.03\.2026 10:\d\d$/),
      title: 'whole',
      shorttext: 'Everything',
      department_id: String(home),
      system_data: 'x=1',
      archive: 't',
      photos: 1,
      files: 0,
      sounds: 0,
      video: 0,
      point: 1,
    },
  });
  expect((await ok('GET', `/news/${ids.get('old')}/shortdata`)).news).toMatchObject({
    point: 0,
    photos: 0,
    archive: 'f',
  });
});

const changedIn = async (id: number): Promise<string> => (await ok('GET', `/news/${id}`)).news_data.update_date;

test('paging and polling go on behind a message that left the reader’s sight', async () => {
  const byId = 'sortBy=id&sortDirection=asc&withAssigned=true';
  const pages = async (after: number, query = byId) =>
    (await list(query, clerk.token, `${after}/500`)).news_list.map(({ title }) => title);
  const given = await create('given and taken');
  await update(given, { assigned_user_id: clerk.id });
  const later = await create('later', { department_id: roads });
  expect(await pages(given)).toEqual(['later']);
  // Taken from the reader: the message of another department is assigned to them no more.
  await update(given, { assigned_user_id: 0 });
  expect((await station.ask('GET', `/news/${given}`, { as: clerk.token })).status).toBe(404);
  for (const query of [byId, 'sortBy=news_date&sortDirection=asc', 'sortBy=update_date&sortDirection=asc', ''])
    await list(query, clerk.token, `${given}/5`);
  expect(await pages(given)).toEqual(['later']);
  // Hidden by a rule of the reader's right.
  const role = (await ok('GET', '/rights')).find(({ name }: { name: string }) => name === 'Clerk').id;
  await ok('PUT', `/rights/${role}`, { accesses: [{ capability_id: 1, states: [Number(feedback)] }] });
  expect((await station.ask('GET', `/news/${later}`, { as: clerk.token })).status).toBe(404);
  expect(await pages(later)).toEqual([]);
  // What never was theirs is refused as what does not exist: its place would tell when it was written.
  for (const never of [ids.get('plain')!, 9_999_999]) {
    const { status, text } = await station.ask('GET', `/news/listAfterId/${never}/5`, { as: clerk.token });
    expect([status, JSON.parse(text).resText]).toEqual([400, `newsAfterId: there is no task ${never}.`]);
  }
});
