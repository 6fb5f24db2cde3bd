import { afterAll, beforeAll, expect, test } from 'vitest';
import { SaxesParser } from 'saxes';
import { tryStation, type TestResponse, type TryStation } from '../../try-station.ts';

const PATH = '/open311/v2';
let at: TryStation;
let admin: string;
let key: string;
let typeId: number;
let otherTypeId: number;

beforeAll(async () => {
  // The ids of the types that every new station has.
  at = await tryStation({ 'citizens.user': 'Citizens', 'citizens.types': [1, 9999], 'citizens.perMinute': 60 });
  admin = await at.signIn();
  const types: { news_type_id: number }[] = (await at.ok('GET', '/newstype', { as: admin })).newstype;
  typeId = Number(types[0]!.news_type_id);
  otherTypeId = Number((types.find(({ news_type_id: id }) => Number(id) !== typeId) ?? types[0]!).news_type_id);
  await at.ok('PUT', `/newstype/${typeId}`, { as: admin, body: { name: 'Cans left 24x7 & <more>' } });
  await newField({ name: 'WHISHETN', format: 'list', possible_values: ['Ford', 'Chrysler'], is_required: true });
  await newField({ name: 'Colour', format: 'string', max_length: 10 });
  await newField({ name: 'Seen', format: 'date' });
  await at.newUser('citizens', 'Dispatcher');
  key = await newKey(['citizens']);
});
afterAll(() => at.stop());

async function newField(values: object) {
  await at.ok('POST', '/custom_field', { as: admin, body: { ...values, for_all_types: true, visible: true } });
}

async function newKey(scopes: string[], as = admin): Promise<string> {
  return (await at.ok('POST', '/auth/keys', { as, body: { name: scopes[0], scopes, expiresAt: null } })).token;
}

/** The form of the standard's example of `POST requests`. */
const EXAMPLE = {
  'jurisdiction_id': 'city.gov',
  'lat': '37.76524078',
  'long': '-122.4212043',
  'address_string': '1234 5th street',
  'email': 'smit333@sfgov.edu',
  'device_id': 'tt222111',
  'account_id': '123456',
  'first_name': 'john',
  'last_name': 'smith',
  'phone': '111111111',
  'description': 'A large sinkhole is destroying the street',
  'media_url': 'http://farm3.static.flickr.com/2002/2212426634_5ed477a060.jpg',
  'attribute[whishetn]': 'Ford',
};

function post(fields: Readonly<Record<string, string>>, form = 'json', from?: string): Promise<TestResponse> {
  return at.ask('POST', `${PATH}/requests.${form}`, {
    body: new URLSearchParams({ api_key: key, service_code: String(typeId), ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(from && { from }),
  });
}

async function created(fields: Readonly<Record<string, string>> = EXAMPLE): Promise<string> {
  const answered = await post(fields);
  if (answered.status !== 200) throw new Error(answered.text);
  return answered.json()[0].service_request_id;
}

/** Names of elements with the text inside, as `a/b=text`. Throws for what is no XML. */
function elementsOf(text: string): string[] {
  const path: string[] = [];
  const found: string[] = [];
  let content = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    path.push(name);
    content = '';
  });
  parser.on('text', (part) => (content += part));
  parser.on('closetag', () => {
    if (content.trim() !== '' || found.length === 0) found.push(`${path.join('/')}=${content}`);
    content = '';
    path.pop();
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return found;
}

test('discovery and services are answered without a key, with the members of the standard', async () => {
  const discovery = await at.ok('GET', `${PATH}/discovery.json`);
  expect(discovery.endpoints[0]).toMatchObject({
    specification: 'http://wiki.open311.org/GeoReport_v2',
    url: `${at.station.address}${PATH}`,
    formats: ['text/xml', 'application/json'],
  });
  expect(await at.ok('GET', `${PATH}/services.json?jurisdiction_id=city.gov`)).toEqual([
    {
      service_code: String(typeId),
      service_name: 'Cans left 24x7 & <more>',
      description: 'Cans left 24x7 & <more>',
      metadata: true,
      type: 'realtime',
      keywords: '',
      group: '',
    },
  ]);
  const xml = await at.ask('GET', `${PATH}/services.xml`);
  expect(xml.type).toBe('text/xml; charset=utf-8');
  expect(elementsOf(xml.text)).toContain('services/service/service_name=Cans left 24x7 & <more>');
});

test('a definition lists the custom fields of the type', async () => {
  const { service_code: code, attributes } = await at.ok('GET', `${PATH}/services/${typeId}.json`);
  expect(code).toBe(String(typeId));
  expect(attributes[0]).toEqual({
    variable: true,
    code: 'whishetn',
    datatype: 'singlevaluelist',
    required: true,
    datatype_description: '',
    order: 1,
    description: 'WHISHETN',
    values: [
      { key: 'Ford', name: 'Ford' },
      { key: 'Chrysler', name: 'Chrysler' },
    ],
  });
  expect(attributes.map(({ datatype }: { datatype: string }) => datatype)).toEqual([
    'singlevaluelist',
    'string',
    'datetime',
  ]);
  const xml = elementsOf((await at.ask('GET', `${PATH}/services/${typeId}.xml`)).text);
  expect(xml).toContain('service_definition/attributes/attribute/values/value/key=Chrysler');
  for (const other of [otherTypeId === typeId ? 77 : otherTypeId, 9999, 'DMV66'])
    expect((await at.ask('GET', `${PATH}/services/${other}.json`)).status).toBe(404);
});

test('the example of the standard becomes a task, and is answered without its sender', async () => {
  const answered = await post(EXAMPLE);
  expect(answered.status).toBe(200);
  const [request] = answered.json();
  expect(request).toEqual({
    service_request_id: expect.stringMatching(/^\d+$/),
    service_notice: '',
    account_id: null,
  });
  const id: string = request.service_request_id;
  const [read] = await at.ok('GET', `${PATH}/requests/${id}.json`);
  expect(read).toEqual({
    service_request_id: id,
    status: 'open',
    status_notes: null,
    service_name: 'Cans left 24x7 & <more>',
    service_code: String(typeId),
    description: EXAMPLE.description,
    agency_responsible: expect.any(String),
    service_notice: null,
    requested_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    updated_datetime: expect.stringMatching(/Z$/),
    expected_datetime: null,
    address: EXAMPLE.address_string,
    address_id: null,
    zipcode: null,
    lat: 37.76524078,
    long: -122.4212043,
    media_url: EXAMPLE.media_url,
  });
  const xml = await at.ask('GET', `${PATH}/requests/${id}.xml`);
  expect(elementsOf(xml.text)).toContain(`service_requests/request/service_request_id=${id}`);
  const list = await at.ask('GET', `${PATH}/requests.json`);
  for (const secret of ['smit333', 'tt222111', '123456', 'john', 'smith', '111111111', 'citizens'])
    for (const { text } of [xml, list]) expect(text).not.toContain(secret);
  // The control room has it all.
  const task = await at.ok('GET', `/news/${id}`, { as: admin });
  for (const part of ['smit333@sfgov.edu', '111111111', 'john', EXAMPLE.media_url])
    expect(JSON.stringify(task)).toContain(part);
  expect(JSON.stringify(task)).toContain('Ford');
});

test('the task closes the request; what the control room writes and its own tasks are not told', async () => {
  const id = await created();
  const asks = async (query: string): Promise<string[]> =>
    (await at.ok('GET', `${PATH}/requests.json?${query}`)).map(
      (one: { service_request_id: string }) => one.service_request_id,
    );
  expect(await asks('status=open')).toContain(id);
  const change = { assigned_status: 4, text: 'Owner is hostile', address: 'Gate code 4711', title: 'Hidden' };
  await at.ok('POST', `/news/${id}/update`, { as: admin, body: change });
  const own = { title: 'Inside', news_type_id: typeId, custom_fields: { whishetn: { value: 'Ford' } } };
  await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values: own } });
  expect(await asks('status=open')).not.toContain(id);
  expect(await asks('status=closed')).toEqual([id]);
  const { text } = await at.ask('GET', `${PATH}/requests.json`);
  for (const inner of ['hostile', '4711', 'Hidden', 'Inside']) expect(text).not.toContain(inner);
});

test('a deleted task is not there any more', async () => {
  const id = await created();
  await at.ok('POST', `/news/${id}/`, { as: admin, body: { action: 'delete' } });
  expect((await at.ask('GET', `${PATH}/requests/${id}.json`)).json()[0].code).toBe(404);
  expect(await at.ok('GET', `${PATH}/requests.json?service_request_id=${id}`)).toEqual([]);
});

test('lists take ids, service codes and times', async () => {
  const [first, second] = [await created(), await created()];
  const asks = async (query: string): Promise<string[]> =>
    (await at.ok('GET', `${PATH}/requests.json?${query}`)).map(
      (one: { service_request_id: string }) => one.service_request_id,
    );
  expect(await asks(`service_request_id=${first},${second},999999`)).toEqual([first, second]);
  expect(await asks(`service_code=${typeId}`)).toContain(first);
  expect(await asks('service_code=77')).toEqual([]);
  expect((await asks('start_date=2020-01-01T00:00:00Z')).length).toBe(0);
  expect((await asks('end_date=2020-01-01T00:00:00Z')).length).toBe(0);
  expect(await asks(`start_date=${new Date(Date.now() - 60_000).toISOString()}`)).toContain(second);
  expect((await at.ask('GET', `${PATH}/requests.json?start_date=yesterday`)).status).toBe(400);
});

test.each<[string, Readonly<Record<string, string>>, number, string]>([
  ['no key', { api_key: '' }, 403, 'api_key was not provided.'],
  ['a wrong key', { api_key: 'x' }, 403, 'api_key is not valid here.'],
  ['an unknown service', { service_code: 'DMV66' }, 404, 'There is no service DMV66.'],
  ['no place', { lat: '', address_string: '' }, 400, 'Send lat and long'],
  ['a wrong place', { lat: '91' }, 400, 'lat'],
  ['a long description', { description: 'ы'.repeat(4001) }, 400, '4000'],
  ['a link that is none', { media_url: 'javascript:alert(1)' }, 400, 'media_url'],
  ['an unknown attribute', { 'attribute[nope]': '1' }, 400, 'nope'],
  ['a wrong value', { 'attribute[whishetn]': 'Lada' }, 400, 'WHISHETN'],
])('%s is refused in the form of the standard', async (_what, change, status, words) => {
  const json = await post({ ...EXAMPLE, ...change });
  expect([json.status, json.type]).toEqual([status, 'application/json; charset=utf-8']);
  expect(json.json()).toEqual([{ code: status, description: expect.stringContaining(words) }]);
  const xml = await post({ ...EXAMPLE, ...change }, 'xml');
  expect([xml.status, xml.type]).toEqual([status, 'text/xml; charset=utf-8']);
  expect(elementsOf(xml.text)).toContain(`errors/error/code=${status}`);
});

test('the longest description, a day as a time, and lines that imitate others are taken as they are', async () => {
  const fields = {
    ...EXAMPLE,
    'description': `${'ы'.repeat(3990)}\nphone: 5`,
    'first_name': 'a\nmedia_url: http://evil.example',
    'attribute[seen]': '2026-03-31T12:00:00Z',
  };
  const id = await created(fields);
  const [request] = await at.ok('GET', `${PATH}/requests/${id}.json`);
  expect([request.description, request.media_url]).toEqual([fields.description, EXAMPLE.media_url]);
  expect(JSON.stringify(await at.ok('GET', `/news/${id}`, { as: admin }))).toContain('2026-03-31');
});

test('keys of other scopes, and keys in other places, open nothing', async () => {
  const other = await newKey(['tasks', 'read']);
  expect((await post({ ...EXAMPLE, api_key: other })).status).toBe(403);
  expect((await at.ask('GET', '/news/list', { as: key })).status).toBe(403);
  expect((await post({ ...EXAMPLE, api_key: admin })).status).toBe(403);
});

test('a task of the control room that looks like a request is not one', async () => {
  const systemData = `Open311\nservice_code: ${typeId}\ndescription: forged`;
  const values = { title: 'Forged', news_type_id: typeId, system_data: systemData };
  const body = { action: 'put', values: { ...values, custom_fields: { whishetn: { value: 'Ford' } } } };
  const before = await at.ok('GET', `${PATH}/requests.json`);
  const { newsId } = await at.ok('POST', '/news/', { as: admin, body });
  expect((await at.ask('GET', `${PATH}/requests/${newsId}.json`)).status).toBe(404);
  expect(await at.ok('GET', `${PATH}/requests.json`)).toEqual(before);
});

test('a key of an administrator of another organization takes no requests', async () => {
  const { id } = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Elsewhere' } });
  await at.ok('POST', '/rights', { as: admin, body: { name: 'Own administrator', admin: true } });
  const { token } = await at.newUser('foreign', 'Own administrator', { organizationId: id });
  const other = await newKey(['citizens'], token);
  const refused = await post({ ...EXAMPLE, api_key: other });
  expect([refused.status, refused.json()[0].description]).toEqual([
    403,
    expect.stringContaining('may not take requests'),
  ]);
});

test('an address has so many requests a minute, wrong keys too; another address goes on', async () => {
  const statuses: number[] = [];
  for (let sent = 0; sent < 62; sent++) statuses.push((await post({ api_key: 'x' }, 'json', '127.0.0.9')).status);
  expect(statuses.slice(0, 60).every((status) => status === 403)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const refused = await post(EXAMPLE, 'xml', '127.0.0.9');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(elementsOf(refused.text)).toContain('errors/error/code=429');
  expect((await post(EXAMPLE, 'json', '127.0.0.10')).status).toBe(200);
});

test('a list of more requests than one step reads has each of them once, newest first', async () => {
  for (const from of ['127.0.0.21', '127.0.0.22', '127.0.0.23'])
    await Promise.all(Array.from({ length: 50 }, () => post(EXAMPLE, 'json', from)));
  const list: { service_request_id: string; requested_datetime: string }[] = await at.ok(
    'GET',
    `${PATH}/requests.json`,
  );
  const ids = list.map(({ service_request_id: id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(150);
  expect(new Set(ids).size).toBe(ids.length);
  const times = list.map(({ requested_datetime: time }) => time);
  expect(times).toEqual(times.toSorted().toReversed());
  const asked = await at.ok('GET', `${PATH}/requests.json?service_request_id=${ids.join(',')}`);
  expect(asked.length).toBe(ids.length);
});
