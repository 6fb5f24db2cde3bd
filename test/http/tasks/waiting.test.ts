import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Tasks that nobody was sent to (rules W1 to W6 of server/dispatch/tasks). */
let station: TryStation;
let admin: string;
let dora: { token: string };
let viewer: { token: string };
let stranger: { token: string };
let told: number;

const TARGETS = [1, 1, 0, 0].map((sentSeconds) => ({ sentSeconds, onSceneSeconds: 0 }));

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dora = await station.newUser('dora', 'Dispatcher');
  viewer = await station.newUser('ivan', 'Viewer');
  const other = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Water company' } });
  told = other.id;
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: other.id });
  const [kind] = await station.ok('GET', '/vehicle-kinds', { as: admin });
  await station.ok('POST', '/response-plans', {
    as: admin,
    body: { name: 'Burst main', priorities: [2], needs: [{ kindId: kind.id }], tellOrganizationIds: [told] },
  });
});
afterAll(() => station.stop());

const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const status = async (method: string, path: string, body: unknown, as: string) =>
  (await station.ask(method, path, { as, body })).status;
async function newTask(values: object): Promise<number> {
  const { newstype } = await ok('GET', '/newstype');
  const body = { action: 'put', values: { title: 'Burst', news_type_id: Number(newstype[0].news_type_id), ...values } };
  return (await ok('POST', '/news/', body)).newsId;
}
const alarmsOf = async (id: number) =>
  (await ok('GET', '/alarms')).filter((alarm: { message: number | null }) => alarm.message === id);

test('an administrator says how soon somebody should be sent, and others read it', async () => {
  expect((await ok('GET', '/dispatch/settings', undefined, dora.token)).leadSeconds).toBe(300);
  const body = { leadSeconds: 600, targets: TARGETS };
  expect(await status('PUT', '/dispatch/settings', body, dora.token)).toBe(403);
  expect(await ok('PUT', '/dispatch/settings', body)).toMatchObject(body);
  expect(await ok('GET', '/dispatch/settings', undefined, dora.token)).toMatchObject(body);
  for (const wrong of [{ ...body, targets: [] }, { ...body, leadSeconds: -1 }, {}])
    expect(await status('PUT', '/dispatch/settings', wrong, admin), JSON.stringify(wrong)).toBe(400);
});

test('nobody is sent: an alarm, a mail to whom the plan names, once; acknowledging answers both', async () => {
  const id = await newTask({ priority: 2 });
  await expect.poll(async () => (await alarmsOf(id)).map((one: { priority: number }) => one.priority)).toContain(3);
  await expect
    .poll(async () => (await alarmsOf(id)).map((one: { rule: string; state: string }) => [one.rule, one.state]))
    .toContainEqual(['nobody-sent-2', 'unacknowledged']);
  const mails = async () =>
    (await ok('GET', '/notify/mail')).filter((mail: { newsId: number }) => mail.newsId === id) as { name: string }[];
  await expect.poll(async () => (await mails()).map(({ name }) => name)).toEqual(['Water company', 'Water company']);

  expect(await status('POST', `/news/${id}/acknowledge`, undefined, viewer.token)).toBe(403);
  expect(await status('POST', `/news/${id}/acknowledge`, undefined, stranger.token)).toBe(404);
  expect(await status('POST', `/news/${id}/acknowledge`, undefined, dora.token)).toBe(200);
  const [standing] = (await alarmsOf(id)).filter(({ rule }: { rule: string }) => rule === 'nobody-sent-2');
  expect(standing).toMatchObject({ state: 'acknowledged', acknowledgedBy: { name: expect.any(String) } });
  expect(await status('POST', `/news/${id}/update`, { assigned_status: 4 }, admin)).toBe(200);
  await expect.poll(async () => (await alarmsOf(id)).length).toBe(0);
});
