import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Duplicates and links (rules M1 to M7 of server/dispatch/tasks). */
let station: TryStation;
let admin: string;
let viewer: { token: string };
let stranger: { token: string; organizationId: number };
let other: number;
let engine: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  viewer = await station.newUser('ivan', 'Viewer');
  other = (await ok('POST', '/organizations', { name: 'Roads' })).id;
  stranger = { ...(await station.newUser('olga', 'Dispatcher', { organizationId: other })), organizationId: other };
  engine = (await ok('POST', '/cars', { name: 'Engine 1' })).id;
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const status = async (method: string, path: string, body: unknown, as = admin) =>
  (await station.ask(method, path, { as, body })).status;
async function newTask(title: string, more: object = {}, as = admin): Promise<number> {
  const { newstype } = await ok('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0].news_type_id), ...more };
  return (await ok('POST', '/news/', { action: 'put', values }, as)).newsId;
}
const detail = async (id: number, as = admin) => (await ok('GET', `/news/${id}`, undefined, as)).news_data;
const unitsOf = async (id: number) =>
  ((await detail(id)).units as { carId: number; clearAt: unknown }[]).filter(({ clearAt }) => clearAt === null);
const commentsOf = async (id: number, as = admin) =>
  ((await ok('GET', `/news/${id}/comments`, undefined, as)).comments as { comment: string; news_id: string }[]).map(
    ({ comment }) => comment,
  );

test('a duplicate is closed with a pointer; units, comments, history and calls are read at the other task', async () => {
  const [kept, double] = [await newTask('Fire'), await newTask('Smoke')];
  const call = await ok('POST', '/calls', { number: '+7 900 1234567' });
  await ok('POST', `/calls/${call.id}/end`, { newsId: double });
  await ok('POST', `/news/${double}/units`, { carIds: [engine] });
  await ok('POST', `/news/${double}/comments`, { action: 'post', comment: 'Third floor' });
  await ok('POST', `/news/${kept}/comments`, { action: 'post', comment: 'Corner house' });
  expect(await status('POST', `/news/${double}/merge`, { into: kept })).toBe(200);

  expect(await detail(double)).toMatchObject({ assigned_status: '4', assigned_car_id: null });
  expect(await detail(kept)).toMatchObject({ assigned_status: '2', assigned_car_id: String(engine) });
  expect(await unitsOf(kept)).toMatchObject([{ carId: engine }]);
  expect(await commentsOf(kept)).toEqual(['Third floor', 'Corner house']);
  expect(await ok('GET', `/news/${kept}/related`)).toMatchObject({ mergedInto: null, merged: [{ id: double }] });
  expect(await ok('GET', `/news/${double}/related`)).toMatchObject({ mergedInto: { id: kept }, merged: [] });
  expect((await ok('GET', `/calls?newsId=${kept}`)).map(({ id }: { id: number }) => id)).toEqual([call.id]);
  const { history } = await ok('GET', `/news/${kept}/history`);
  expect(history).toContainEqual(expect.objectContaining({ news_id: String(double), field: 'mergedInto', to: kept }));
  expect(history).toContainEqual(expect.objectContaining({ news_id: String(kept), field: 'assigned_car_id' }));

  expect(await status('DELETE', `/news/${double}/merge`, undefined)).toBe(200);
  expect(await unitsOf(kept)).toEqual([]);
  expect(await unitsOf(double)).toMatchObject([{ carId: engine }]);
  expect(await detail(double)).toMatchObject({ assigned_status: '2', assigned_car_id: String(engine) });
  expect(await commentsOf(kept)).toEqual(['Corner house']);
  expect(await status('DELETE', `/news/${double}/merge`, undefined)).toBe(409);
});

test('opening a duplicate again takes the merge back, with its units', async () => {
  const [kept, double] = [await newTask('Fire'), await newTask('Smoke')];
  const ladder = (await ok('POST', '/cars', { name: 'Ladder 7' })).id;
  await ok('POST', `/news/${double}/units`, { carIds: [ladder] });
  expect(await status('POST', `/news/${double}/merge`, { into: kept })).toBe(200);
  expect(await status('POST', `/news/${double}/update`, { assigned_status: 2 })).toBe(200);
  expect(await unitsOf(double)).toMatchObject([{ carId: ladder }]);
  expect(await unitsOf(kept)).toEqual([]);
  expect(await ok('GET', `/news/${kept}/related`)).toMatchObject({ merged: [] });
});

test('what may not be merged is refused in words, and nothing is changed', async () => {
  const [kept, double, closed] = [await newTask('Fire'), await newTask('Smoke'), await newTask('Old')];
  expect(await status('POST', `/news/${closed}/update`, { assigned_status: 4 })).toBe(200);
  expect(await status('POST', `/news/${double}/merge`, { into: double })).toBe(400);
  expect(await status('POST', `/news/${double}/merge`, { into: closed })).toBe(409);
  expect(await status('POST', `/news/${double}/merge`, { into: 999_999 })).toBe(404);
  expect(await status('POST', `/news/${double}/merge`, { into: kept }, viewer.token)).toBe(403);
  expect(await status('POST', `/news/${double}/merge`, { into: kept }, stranger.token)).toBe(404);
  expect(await status('POST', `/news/${double}/merge`, { into: kept })).toBe(200);
  expect(await status('POST', `/news/${double}/merge`, { into: kept })).toBe(409);
  expect(await status('POST', `/news/${kept}/merge`, { into: double }), 'no circle').toBe(409);
});

test('who sees only one of two merged tasks learns nothing of the other', async () => {
  const mine = await newTask('Fire', { department_id: other });
  const hidden = await newTask('Secret');
  await ok('POST', `/news/${hidden}/comments`, { action: 'post', comment: 'Not for Roads' });
  expect(await commentsOf(mine, stranger.token)).toEqual([]);
  expect(await status('POST', `/news/${hidden}/merge`, { into: mine })).toBe(200);
  expect(await commentsOf(mine)).toEqual(['Not for Roads']);
  expect(await commentsOf(mine, stranger.token)).toEqual([]);
  expect(await ok('GET', `/news/${mine}/related`, undefined, stranger.token)).toMatchObject({ merged: [] });
  const { history } = await ok('GET', `/news/${mine}/history`, undefined, stranger.token);
  expect(history.every(({ news_id }: { news_id: string }) => news_id === String(mine))).toBe(true);
});

test('a link is seen from both sides, and taken off from either', async () => {
  const [one, two] = [await newTask('Fire'), await newTask('Traffic light')];
  expect(await status('POST', `/news/${one}/links`, { newsId: two })).toBe(200);
  expect(await ok('GET', `/news/${two}/related`)).toMatchObject({ links: [{ id: one, title: 'Fire' }] });
  expect(await status('POST', `/news/${one}/links`, { newsId: one })).toBe(400);
  expect(await status('POST', `/news/${one}/links`, { newsId: two }, viewer.token)).toBe(403);
  expect(await status('DELETE', `/news/${two}/links/${one}`, undefined)).toBe(200);
  expect(await ok('GET', `/news/${one}/related`)).toMatchObject({ links: [] });
});
