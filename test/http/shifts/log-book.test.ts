import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** The log-book (rules of server/dispatch/shifts). */
let station: TryStation;
let admin: string;
let dora: { id: number; token: string };
let stranger: { id: number; token: string };
let car: number;
let newsId: number;
const begun = Date.now() - 1_000;

interface Line {
  at: number;
  kind: string;
  id: number | null;
  text: string;
  newsId: number | null;
  carId: number | null;
  corrects: number | null;
}

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dora = await station.newUser('dora', 'Dispatcher');
  const other = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Other' } });
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: other.id });
  car = (await station.ok('POST', '/cars', { as: admin, body: { name: 'Engine 1', glonassId: 101 } })).id;
  const made = await station.ok('POST', '/news/', {
    as: admin,
    body: { action: 'put', values: { title: 'Smoke, 4th floor', news_type_id: 1 } },
  });
  newsId = Number(made.newsId);
});
afterAll(() => station.stop());

const read = (as: string, query = ''): Promise<Line[]> =>
  station.ok('GET', `/log-book?from=${begun}&till=${Date.now() + 1}${query}`, { as });
const write = (body: object, as = dora.token) => station.ok('POST', '/log-book', { as, body });

test('an entry stays, and a correction stands beside it (rule 1)', async () => {
  const entry = await write({ text: '  Ladder 1 is back. ', newsId });
  expect(entry).toMatchObject({
    kind: 'entry',
    text: 'Ladder 1 is back.',
    newsId,
    by: { name: 'dora' },
    corrects: null,
  });
  const correction = await write({ text: 'It was Ladder 2.', corrects: entry.id });
  // A correction is about what the entry was about.
  expect(correction).toMatchObject({ corrects: entry.id, newsId });
  const lines = await read(dora.token, '&written=true');
  expect(lines.map(({ text }) => text)).toEqual(['Ladder 1 is back.', 'It was Ladder 2.']);
  for (const method of ['PUT', 'DELETE'])
    expect((await station.ask(method, `/log-book/${entry.id}`, { as: admin, body: {} })).status).toBe(404);
});

test('what units did has the times of the task (rule 2)', async () => {
  await station.ok('POST', `/news/${newsId}/units`, { as: dora.token, body: { carIds: [car] } });
  await station.ok('PUT', `/cars/${car}/status`, { as: dora.token, body: { status: 4 } });
  const { news_data } = await station.ok('GET', `/news/${newsId}`, { as: dora.token });
  const [unit] = news_data.units;
  const lines = await read(dora.token, `&car=${car}`);
  expect(lines.map(({ kind, at }) => [kind, at])).toEqual([
    ['unit-sent', unit.sentAt],
    ['unit-on-scene', unit.onSceneAt],
  ]);
  const found = await read(dora.token, '&text=engine%201%20smoke');
  expect(found.map(({ kind }) => kind)).toEqual(['unit-sent', 'unit-on-scene']);
});

test('another organization reads and corrects nothing of it (rule 3)', async () => {
  expect(await read(stranger.token)).toEqual([]);
  const [{ id }] = (await read(dora.token, '&written=true')) as [Line];
  for (const body of [
    { text: 'x', corrects: id },
    { text: 'x', newsId },
    { text: 'x', carId: car },
  ])
    expect((await station.ask('POST', '/log-book', { as: stranger.token, body })).status).toBe(404);
  expect((await read(admin)).length).toBeGreaterThan(3);
});

test('a user who may not set a crew’s status cannot write', async () => {
  const roles = await station.ok('POST', '/rights', {
    as: admin,
    body: { name: 'Reader', accesses: [{ capability_id: 1 }] },
  });
  const reader = await station.newUser('reader', 'Reader');
  expect(roles.id).toBeGreaterThan(0);
  const refused = await station.ask('POST', '/log-book', { as: reader.token, body: { text: 'x' } });
  expect([refused.status, refused.headers.get('waypost-refusal')]).toEqual([403, 'shifts.mayNotWrite']);
});

test('files hold the same lines, and a spreadsheet takes none for a formula', async () => {
  await write({ text: '=1+1' });
  const period = `from=${begun}&till=${Date.now() + 1}`;
  const csv = await station.ask('GET', `/log-book.csv?${period}&lang=ru`, { as: dora.token });
  expect(csv.type).toContain('text/csv');
  expect(csv.text).toContain("'=1+1");
  expect(csv.text).toContain('Engine 1: на месте');
  expect(csv.text.trim().split('\r\n')).toHaveLength(1 + (await read(dora.token)).length);
  const pdf = await station.ask('GET', `/log-book.pdf?${period}`, { as: dora.token });
  expect([pdf.type, pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
});

test('bad periods and empty texts are refused', async () => {
  const now = Date.now();
  for (const query of ['', `from=${now}&till=${now}`, `from=0&till=${now}`, `from=x&till=${now}`])
    expect((await station.ask('GET', `/log-book?${query}`, { as: dora.token })).status).toBe(400);
  for (const body of [{}, { text: '  ' }, { text: 'x'.repeat(2_001) }, { text: 'x', newsId: 'y' }])
    expect((await station.ask('POST', '/log-book', { as: dora.token, body })).status).toBe(400);
});
