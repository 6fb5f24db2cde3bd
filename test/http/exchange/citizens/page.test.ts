import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POLICY } from '../../../../server/http/app/console.ts';
import { tryStation, type TestResponse, type TryStation } from '../../try-station.ts';

/** The paths of the page on which citizens report, asked as a stranger asks them. */
let at: TryStation;
let admin: string;
const PLACE = { lat: 56.2, lon: 18.9 };

beforeAll(async () => {
  at = await tryStation({
    'citizens.user': 'citizens',
    'citizens.types': [1, 2],
    'citizens.perMinute': 1000,
    'citizens.page': true,
    'citizens.perHour': 50,
    'citizens.embedIn': ['https://town.example'],
  });
  admin = await at.signIn();
  await at.newUser('citizens', 'Dispatcher');
  await at.ok('POST', '/custom_field', {
    as: admin,
    body: { name: 'Deep', format: 'int', news_type_ids: [2], is_for_all: 'f', visible: true, is_required: true },
  });
});
afterAll(() => at.stop());

const form = (): Promise<{ token: string; types: { id: number; photos: boolean; fields: { slug: string }[] }[] }> =>
  at.ok('GET', '/citizens/form');
async function send(body: object, from?: string): Promise<TestResponse> {
  const { token } = await form();
  return at.ask('POST', '/citizens/reports', {
    body: { token, typeId: 1, description: 'A hole in the road', point: PLACE, ...body },
    ...(from && { from }),
  });
}
const sent = async (body: object = {}): Promise<{ id: number; code: string }> => {
  const answered = await send(body);
  expect(answered.text).toContain('code');
  return answered.json();
};
const follow = ({ id, code }: { id: number; code: string }) =>
  at.ask('GET', `/citizens/reports/${id}?code=${encodeURIComponent(code)}`);
const photo = (token: string, bytes: Buffer) =>
  fetch(`${at.station.address}/citizens/photos?token=${token}&typeId=1&name=hole.jpg`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
  });
const picture = (red: number) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: red, g: 9, b: 9 } } })
    .jpeg()
    .toBuffer();

test('a report becomes a task with the contact inside, and its sender follows it by the code alone', async () => {
  const report = await sent({ address: 'Mill Road 12', name: 'Ann Lee', phone: '555', email: 'ann@example.org' });
  const { news_data: task } = await at.ok('GET', `/news/${report.id}`, { as: admin });
  expect(task).toMatchObject({ text: 'A hole in the road', address: 'Mill Road 12', lat: '56.2', lon: '18.9' });
  for (const word of ['Page of citizens', 'Ann Lee', '555', 'ann@example.org'])
    expect(task.system_data).toContain(word);

  const first = (await follow(report)).json();
  expect(first).toMatchObject({ id: report.id, description: 'A hole in the road', point: PLACE, step: 'received' });
  expect(JSON.stringify(first)).not.toContain('Ann');
  for (const [status, step] of [
    [2, 'underWay'],
    [3, 'underWay'],
    [4, 'done'],
  ] as const) {
    await at.ok('POST', `/news/${report.id}/update`, { as: admin, body: { assigned_status: status } });
    expect((await follow(report)).json().step).toBe(step);
  }
  for (const code of ['', 'wrong', `${report.code}x`, report.code.slice(1)])
    expect([code, (await follow({ ...report, code })).status]).toEqual([code, 404]);
  expect((await follow({ id: 999_999, code: report.code })).status).toBe(404);
});

test('nobody finds a report of the page through Open311, where all requests are open', async () => {
  const { id } = await sent({ description: 'My neighbour is ill' });
  expect((await at.ask('GET', `/open311/v2/requests/${id}.json`)).status).toBe(404);
  for (const path of [`requests.json?service_request_id=${id}`, 'requests.json'])
    expect((await at.ask('GET', `/open311/v2/${path}`)).text).not.toContain('neighbour');
});

test('a duplicate goes on as the task that it became part of; a deleted one is gone', async () => {
  const [main, other] = [await sent(), await sent({ description: 'The same hole' })];
  await at.ok('POST', `/news/${other.id}/merge`, { as: admin, body: { into: main.id } });
  expect((await follow(other)).json().step).toBe('received');
  await at.ok('POST', `/news/${main.id}/update`, { as: admin, body: { assigned_status: 2 } });
  expect((await follow(other)).json()).toMatchObject({ id: other.id, step: 'underWay', description: 'The same hole' });
  await at.ok('POST', `/news/${main.id}/`, { as: admin, body: { action: 'delete' } });
  expect((await follow(main)).status).toBe(404);
});

test('a form is sent once: a repeated request gives the same answer, also side by side', async () => {
  const { token } = await form();
  const body = { token, typeId: 1, description: 'Sent twice', point: PLACE };
  const answers = await Promise.all([1, 2, 3].map(() => at.ok('POST', '/citizens/reports', { body })));
  answers.push(await at.ok('POST', '/citizens/reports', { body }));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  const wrong = { ...body, token: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` };
  for (const bad of [wrong.token, '', 'x', '.', `${token}.`, token.split('.')[0]!])
    expect((await at.ask('POST', '/citizens/reports', { body: { ...body, token: bad } })).status).toBe(409);
});

test('what is missing or made by a program is refused, and the form can be sent again', async () => {
  const { token } = await form();
  const body = { token, typeId: 2, description: 'Deep water', point: PLACE };
  const post = (change: object) => at.ask('POST', '/citizens/reports', { body: { ...body, ...change } });
  for (const change of [
    { description: '  ' },
    { point: null },
    { website: 'https://spam.example' },
    {}, // the field is required
    { fields: { deep: 'many' } },
    { fields: { other: 1 } },
    { photos: ['no-upload'] },
    { point: { lat: 91, lon: 0 } },
  ])
    expect([change, (await post(change)).status]).toEqual([change, 400]);
  expect((await post({ typeId: 3 })).status).toBe(404);
  const { id } = (await post({ fields: { deep: '7' } })).json();
  const { news_data: task } = await at.ok('GET', `/news/${id}`, { as: admin });
  expect(task.custom_fields).toContain('7');
});

test('photos come with the report; other files, too many and other forms are refused', async () => {
  const { token } = await form();
  expect((await photo(token, Buffer.from('no photo at all'))).status).toBe(400);
  expect((await photo(token, (await picture(1)).subarray(0, 50))).status).toBe(400);
  const { uuid } = (await (await photo(token, await picture(2))).json()) as { uuid: string };
  for (const red of [3, 4, 5]) expect((await photo(token, await picture(red))).status).toBe(200);
  expect((await photo(token, await picture(6))).status).toBe(400); // the seventh, with the two wrong ones
  expect((await photo('forged', await picture(7))).status).toBe(409);
  const body = { token, typeId: 1, description: 'With a photo', point: PLACE, photos: [uuid] };
  const { id } = await at.ok('POST', '/citizens/reports', { body });
  const { photos } = await at.ok('GET', `/news/${id}/photos`, { as: admin });
  expect(photos).toHaveLength(1);
  const large = Buffer.concat([await picture(8), Buffer.alloc(15_000_001)]);
  expect((await photo((await form()).token, large)).status).toBe(413);
});

test('the page may be shown in a frame by the named origins alone, and asks nobody who they are', async () => {
  const page = await at.ask('GET', '/citizens');
  if (page.status === 404) return; // the console is not built here; the browser test opens the page
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://town.example');
  expect(page.headers.get('x-frame-options')).toBeNull();
  const console = await at.ask('GET', '/');
  expect(console.headers.get('content-security-policy')).toContain(POLICY.find((rule) => rule.startsWith('frame')));
  expect(console.headers.get('x-frame-options')).toBe('DENY');
});

test('an address has a fifth of the reports of an hour, so that nobody fills the page for the others', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await send({}, '127.0.0.99')).status);
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  expect((await send({}, '127.0.0.98')).status).toBe(200);
});
