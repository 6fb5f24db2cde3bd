import odataQuery from 'odata-query';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { tryStation, type TryStation } from '../../try-station.ts';

/** Its types describe its other build. */
const buildQuery = odataQuery as unknown as (query: object) => string;

const TASKS = 1_203;
const NOON = Date.parse('2026-05-24T12:00:00Z');
let at: TryStation;
let admin: string;
let key: string;
let foreignKey: string;
let vehicleId: number;
let firstTask: number;

beforeAll(async () => {
  at = await tryStation({ demo: true, demoSpeed: 0 });
  admin = await at.signIn();
  const type = Number((await at.ok('GET', '/newstype', { as: admin })).newstype[0].news_type_id);
  const before = (await table('Tasks', '?$select=id', admin)).length;
  expect(before).toBeGreaterThan(0);
  const create = async (title: string): Promise<number> => {
    const values = { title, news_type_id: type };
    return (await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values, point: [14.5, 35.9] } })).newsId;
  };
  firstTask = await create("O'Neill's gate");
  for (let index = 1; index < TASKS; index++) await create(`Counted ${index}`);
  vehicleId = (await at.ok('POST', '/cars', { as: admin, body: { name: 'Van & Co' } })).id;
  const access = (name: string) => ({ name, scopes: ['read'], expiresAt: null });
  key = (await at.ok('POST', '/auth/keys', { as: admin, body: access('Excel') })).token;
  const organization = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } });
  const stranger = await at.newUser('stranger', 'Local administrator', { organizationId: organization.id });
  foreignKey = stranger.token;
}, 120_000);
afterAll(() => at.stop());

type Row = Record<string, string | number | boolean | null>;
interface Answer {
  '@odata.context': string;
  '@odata.count'?: number;
  '@odata.nextLink'?: string;
  'value': Row[];
}
const ask = async (path: string, as = key): Promise<Answer> => at.ok('GET', `/odata/${path}`, { as });

/** All rows, page by page, as a program reads them. */
async function table(name: string, query = '', as = key): Promise<Row[]> {
  const rows: Row[] = [];
  for (let path: string | undefined = `${name}${query}`; path !== undefined;) {
    const answer: Answer = await ask(path, as);
    rows.push(...answer.value);
    path = answer['@odata.nextLink']?.replace(`${at.station.address}/odata/`, '');
  }
  return rows;
}

test('the service names its tables, and describes their columns as their rows have them', async () => {
  const root = await at.ask('GET', '/odata/', { as: key });
  expect(root.headers.get('OData-Version')).toBe('4.0');
  const names = root.json().value.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Tasks', 'TaskUnits', 'Vehicles', 'Drivers', 'Events']);
  const { text, type } = await at.ask('GET', '/odata/$metadata', { as: key });
  expect(type).toContain('application/xml');
  for (const name of names as string[]) {
    const entity = new RegExp(`<EntitySet Name="${name}" EntityType="Waypost.(\\w+)"`).exec(text)![1];
    const described = new RegExp(`<EntityType Name="${entity}">.*`).exec(text)![0];
    const columns = [...described.matchAll(/<Property Name="(\w+)" Type="Edm\.(\w+)" Nullable="(\w+)"/g)];
    const [row] = (await ask(`${name}?$top=1`)).value;
    for (const [, column, edm, nullable] of columns) {
      if (row === undefined) continue;
      const value = row[column!];
      if (value === null) expect(nullable).toBe('true');
      else expect([column, typeof value]).toEqual([column, JSON_TYPES[edm!]]);
    }
    if (row) expect(Object.keys(row)).toEqual(columns.map(([, column]) => column));
  }
});

const JSON_TYPES: Record<string, string> = {
  Int64: 'number',
  Double: 'number',
  String: 'string',
  Boolean: 'boolean',
  DateTimeOffset: 'string',
};

test('pages by the link hold every row once, whatever the query', async () => {
  const all = await table('Tasks');
  const ids = all.map(({ id }) => id as number);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  expect(all.length).toBeGreaterThan(TASKS);
  expect((await ask('Tasks')).value).toHaveLength(1_000);
  expect(Number((await at.ask('GET', '/odata/Tasks/$count', { as: key })).text)).toBe(all.length);
  expect((await ask('Tasks?$count=true&$top=1'))['@odata.count']).toBe(all.length);
  expect((await table('Tasks', '?$skip=5&$top=1100&$select=id')).map(({ id }) => id)).toEqual(ids.slice(5, 1_105));
  const backwards = await table('Tasks', '?$orderby=id desc&$select=id&$top=1150&$skip=10');
  expect(backwards.map(({ id }) => id)).toEqual(ids.toReversed().slice(10, 1_160));
  expect((await ask('Tasks?$top=0')).value).toEqual([]);
  const byTitle = await table('Tasks', "?$filter=startswith(title,'Counted')&$orderby=title,id desc&$select=title,id");
  const titles = byTitle.map(({ title }) => title as string);
  expect(titles).toEqual(titles.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(titles).toHaveLength(TASKS - 1);
});

test('queries that odata-query builds find what they ask for', async () => {
  const titles = async (query: object) => (await table('Tasks', buildQuery(query))).map(({ title }) => title);
  expect(await titles({ filter: { title: "O'Neill's gate" } })).toEqual(["O'Neill's gate"]);
  expect(await titles({ filter: { title: { contains: "Neill's" } }, select: ['title'] })).toEqual(["O'Neill's gate"]);
  const between = { id: { ge: firstTask, lt: firstTask + 3 } };
  expect(await titles({ filter: between })).toEqual(["O'Neill's gate", 'Counted 1', 'Counted 2']);
  expect(await titles({ filter: { and: [between, { not: { title: { startswith: 'Counted' } } }] } })).toEqual([
    "O'Neill's gate",
  ]);
  expect(await titles({ filter: { or: [{ title: 'Counted 7' }, { title: 'Counted 9' }] } })).toEqual([
    'Counted 7',
    'Counted 9',
  ]);
  expect(await titles({ filter: { title: { in: ['Counted 5', 'Counted 6'] } }, orderBy: 'id desc' })).toEqual([
    'Counted 6',
    'Counted 5',
  ]);
  const recent = { date: { gt: new Date(Date.now() - 3_600_000) }, title: 'Counted 3' };
  expect(await titles({ filter: recent })).toEqual(['Counted 3']);
  expect(await titles({ filter: { date: { lt: new Date(0) } } })).toEqual([]);
  expect(
    (await ask(`Tasks${buildQuery({ filter: { title: 'Counted 3' }, count: true, top: 1 })}`))['@odata.count'],
  ).toBe(1);
});

test('units are rows of their own, each sending once', async () => {
  await at.ok('POST', `/news/${firstTask}/units`, { as: admin, body: { carIds: [vehicleId] } });
  const rows = await table('TaskUnits', `?$filter=taskId eq ${firstTask}`);
  expect(rows).toMatchObject([{ taskId: firstTask, index: 0, vehicleId, vehicle: 'Van & Co', clear: null }]);
  const all = await table('TaskUnits');
  const keys = all.map(({ taskId, index }) => `${taskId} ${index}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await table('Vehicles', "?$filter=name eq 'Van %26 Co'&$select=id,name")).toEqual([
    { id: vehicleId, name: 'Van & Co' },
  ]);
});

test('events have the bounds of their time, and those of a vehicle that one may not see stay away', async () => {
  const { glonassId } = await at.ok('GET', `/cars/${vehicleId}`, { as: admin });
  for (const [index, speed] of [0, 0, 30, 0].entries())
    await at.ok('POST', '/telemetry', {
      as: admin,
      body: { glonassId, time: NOON + index * 600_000, lat: 35.9, lon: 14.5, speed },
    });
  const own = `?$filter=vehicleId eq ${vehicleId}`;
  await eventually(async () => expect((await table('Events', own)).length).toBeGreaterThan(0));
  const rows = await table('Events', own);
  const [from, until] = ['2026-05-24T12:00:00Z', '2026-05-24T13:00:00Z'];
  const within = await table('Events', `${own} and begin ge ${from} and begin lt ${until}`);
  expect(within).toEqual(
    rows.filter(({ begin }) => Date.parse(String(begin)) >= NOON && Date.parse(String(begin)) < NOON + 3_600_000),
  );
  expect(await table('Events', own, foreignKey)).toEqual([]);
});

test('everybody sees in the tables what they see in the lists', async () => {
  const ids = async (name: string, as: string) => (await table(name, '?$select=id', as)).map(({ id }) => id).toSorted();
  for (const as of [admin, foreignKey]) {
    const cars = await at.ok('GET', '/cars', { as });
    expect(await ids('Vehicles', as)).toEqual(cars.map(({ id }: { id: number }) => id).toSorted());
    const drivers = await at.ok('GET', '/drivers', { as });
    expect(await ids('Drivers', as)).toEqual(drivers.map(({ id }: { id: number }) => id).toSorted());
  }
  expect(await ids('Tasks', foreignKey)).toEqual([]);
  expect(await table('TaskUnits', '', foreignKey)).toEqual([]);
});

test('errors have the form of OData, in words', async () => {
  const wrong: [string, number, string][] = [
    ['Tasks?$filter=title eq 5', 400, 'odata.kinds'],
    ['Tasks?$filter=title gt', 400, 'odata.syntax'],
    [`Tasks?$filter=${'('.repeat(3_000)}`, 400, 'odata.deep'],
    ['Tasks?$filter=colour eq 5', 400, 'odata.property'],
    ['Tasks?$select=colour', 400, 'odata.property'],
    ['Tasks?$orderby=title up', 400, 'odata.syntax'],
    ['Tasks?$orderby=title,title,title,title,title,title', 400, 'odata.deep'],
    ['Tasks?$expand=units', 400, 'odata.option'],
    ['Tasks?$format=xml', 400, 'odata.option'],
    ['Tasks?$top=-1', 400, 'field.wholeRange'],
    ['Tasks?$filter=id eq 1&$filter=id eq 2', 400, 'field.type'],
    ['Nothing', 404, 'request.nothingHere'],
  ];
  for (const [path, status, code] of wrong) {
    const answer = await at.ask('GET', `/odata/${path}`, { as: key });
    expect([path, answer.status, answer.json().error.code]).toEqual([path, status, code]);
    expect(answer.json().error.message.length).toBeGreaterThan(10);
    expect(answer.headers.get('OData-Version')).toBe('4.0');
  }
  expect((await at.ask('POST', '/odata/Tasks', { as: key, body: {} })).json().error.code).toBe('request.method');
  const unknown = await at.ask('GET', '/odata/Tasks', {});
  expect([unknown.status, typeof unknown.json().error.message]).toEqual([401, 'string']);
  // A mark that no page gave leads nowhere worse than to other rows.
  for (const mark of ['x', '-1', '99999999999999999999', '1_2_3', '__proto__'])
    expect((await at.ask('GET', `/odata/Tasks?$skiptoken=${mark}`, { as: key })).status, mark).toBeLessThan(500);
});
