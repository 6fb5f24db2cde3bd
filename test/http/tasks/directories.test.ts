import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let dispatcher: string;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dispatcher = (await station.newUser('anna', 'Dispatcher')).token;
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
async function refused(method: string, path: string, body: unknown, naming: RegExp): Promise<void> {
  const answered = await ask(method, path, body);
  expect(answered.status, `${JSON.stringify(body)}: ${answered.text}`).toBe(400);
  expect(answered.json()).toEqual({ res: 0, resText: expect.stringMatching(naming) });
}
const newType = async (fields: object = {}) => (await ok('POST', '/newstype', { name: 'Lift', ...fields })).newstype;
const task = async (type: string, as = admin): Promise<number> =>
  (await ok('POST', '/news/', { values: { title: 'Stuck', news_type_id: Number(type) } }, as)).newsId;

test('a type takes and gives all its fields', async () => {
  const organization = Number((await ok('GET', '/organizations'))[0].id);
  const files = Object.fromEntries(
    [
      'icon',
      'icon3d',
      'map_icon',
      'map_icon_highlight',
      'logo',
      'map_icon_highlight_done',
      'icon3d_done',
      'icon_done',
      'map_icon_done',
      'iconmap',
      'iconmap_highlight',
      'iconmap_done',
      'iconmap_highlight_done',
    ].map((name) => [name, `${name}.png`]),
  );
  const made = await newType({
    ...files,
    default_type: 't',
    period_of_review_in_sec: 5400,
    deadline_type: 1,
    departments: [organization],
  });
  expect(made).toEqual({
    ...files,
    name: 'Lift',
    default_type: 't',
    period_of_review: '01:30:00',
    period_of_review_in_sec: '5400',
    deadline_type: 'AT_UPDATE',
    departments: [String(organization)],
    group_id: null,
    group: null,
    id: made.news_type_id,
    news_type_id: expect.stringMatching(/^\d+$/),
  });
  const { newstype } = await ok('GET', '/newstype', undefined, dispatcher);
  expect(
    newstype
      .filter((type: { default_type: string }) => type.default_type === 't')
      .map((type: { news_type_id: string }) => type.news_type_id),
  ).toEqual([made.id]);
  expect(newstype.at(-1)).toMatchObject({
    news_type_id: made.id,
    name: 'Lift',
    icon: 'icon.png',
    map_icon: 'map_icon.png',
    group_id: null,
  });
  const changed = (await ok('PUT', `/newstype/${made.id}`, { period_of_review: '00:20:00' })).newstype;
  expect(changed).toEqual({ ...made, period_of_review: '00:20:00', period_of_review_in_sec: '1200' });
  expect((await ok('GET', `/news/${await task(made.id)}`)).news_data).toMatchObject({
    news_type_icon: 'icon.png',
    news_type_logo: 'logo.png',
  });
  await refused('POST', '/newstype', { name: ' ' }, /name/);
  await refused('POST', '/newstype', { name: 'x', deadline_type: 2 }, /deadline_type/);
  await refused('POST', '/newstype', { name: 'x', departments: [999_999] }, /departments/);
  await refused('POST', '/newstype', { name: 'x', period_of_review: 'soon' }, /period_of_review/);
});

test('a type is bound to a group by four rules', async () => {
  const { group } = await ok('POST', '/newstype/group', { name: 'Buildings' });
  const { id } = await newType({ group_id: Number(group.id) });
  const bound = async (body: object) => (await ok('PUT', `/newstype/${id}`, body)).newstype;
  expect(await bound({})).toMatchObject({ group_id: group.id, group });
  expect(await bound({ group_id: null, name: 'Lifts' })).toMatchObject({ group_id: group.id, name: 'Lifts' });
  expect(await bound({ group_id: 0 })).toMatchObject({ group_id: null, group: null });
  expect(await bound({ group_id: group.id })).toMatchObject({ group_id: group.id });
  for (const wrong of [999_999, -1, 1.5, 'x', '', true, []])
    await refused('PUT', `/newstype/${id}`, { group_id: wrong }, /group_id/);
  expect((await ok('GET', '/newstype')).newstype.at(-1)).toMatchObject({ group_id: group.id });
});

test('groups are created, renamed, read, listed and deleted; types of a deleted group have no group', async () => {
  const { group } = await ok('POST', '/newstype/group', { name: 'Streets' });
  const type = await newType({ group_id: Number(group.id) });
  expect((await ok('PUT', `/newstype/group/${group.id}`, { name: 'Roads' })).group).toEqual({
    id: group.id,
    name: 'Roads',
  });
  expect((await ok('GET', `/newstype/group/${group.id}`)).group).toEqual({ id: group.id, name: 'Roads' });
  expect((await ok('GET', '/newstype/group/list')).groups).toContainEqual({ id: group.id, name: 'Roads' });
  expect(await ok('DELETE', `/newstype/group/${group.id}`)).toEqual({ res: 1, resText: '' });
  expect((await ask('GET', `/newstype/group/${group.id}`)).status).toBe(404);
  expect((await ask('DELETE', `/newstype/group/${group.id}`)).status).toBe(404);
  expect(
    (await ok('GET', '/newstype')).newstype.find((each: { news_type_id: string }) => each.news_type_id === type.id)
      .group_id,
  ).toBeNull();
  await refused('POST', '/newstype/group', {}, /name/);
  await refused('PUT', `/newstype/${type.id}`, { group_id: Number(group.id) }, /group_id/);
});

test('a type goes only when no message has it', async () => {
  const type = await newType();
  const news = await task(type.id);
  await refused('DELETE', `/newstype/${type.id}`, undefined, /in use/);
  await ok('POST', `/news/${news}/update`, { archive: true });
  await refused('DELETE', `/newstype/${type.id}`, undefined, /in use/);
  await ok('POST', `/news/${news}/update`, {
    news_type_id: Number((await ok('GET', '/newstype')).newstype[0].news_type_id),
  });
  await ok('DELETE', `/newstype/${type.id}`);
  expect((await ask('PUT', `/newstype/${type.id}`, {})).status).toBe(404);
  await refused('POST', '/news/', { values: { title: 'x', news_type_id: Number(type.id) } }, /news_type_id/);
});

test('categories and statuses are written; a deleted category stays with its messages', async () => {
  const { category } = await ok('POST', '/category', { name: 'Drill', icon: '', order_important: '7' });
  expect(category).toEqual({ id: expect.stringMatching(/^\d+$/), name: 'Drill', icon: '', order_important: '7' });
  expect((await ok('PUT', `/category/${category.id}`, { name: 'Exercise' })).category).toEqual({
    ...category,
    name: 'Exercise',
  });
  const type = (await ok('GET', '/newstype')).newstype[0].news_type_id;
  const { newsId } = await ok('POST', '/news/', {
    values: { title: 'x', news_type_id: Number(type), category: Number(category.id) },
  });
  await ok('DELETE', `/category/${category.id}`);
  expect((await ok('GET', '/category')).category).not.toContainEqual(expect.objectContaining({ id: category.id }));
  expect((await ok('GET', `/news/${newsId}`)).news_data).toMatchObject({
    category_id: category.id,
    category_name: 'Exercise',
  });
  await refused(
    'POST',
    '/news/',
    { values: { title: 'x', news_type_id: Number(type), category: Number(category.id) } },
    /category/,
  );
  expect((await ok('PUT', '/status/3', { name: 'Report', visible: 'f' })).status).toEqual({
    id: '3',
    name: 'Report',
    visible: 'f',
  });
  expect((await ok('GET', '/status')).status[2]).toEqual({ id: '3', name: 'Report', visible: 'f' });
  expect((await ask('PUT', '/status/5', { name: 'x' })).status).toBe(404);
});

test('the icon of a category is a picture that was uploaded, served in its directory and kept as long as the category has it', async () => {
  const gif = (colour: number) =>
    Buffer.from(`R0lGODlhAQABAIAAAAAA${'ABCD'[colour]}P///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`, 'base64');
  const upload = async (bytes: Buffer) => {
    const body = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="drill.gif"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const answered = await fetch(`${station.station.address}/fileload?token=${admin}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    return ((await answered.json()) as { data: string[] }).data[0]!;
  };
  const served = async (name: string, as = dispatcher) => {
    const answered = await fetch(`${station.station.address}/department_files/news_category/${name}`, {
      headers: { authorization: `Bearer ${as}` },
    });
    return [
      answered.status,
      answered.headers.get('content-type'),
      Buffer.from(await answered.arrayBuffer()).toString('base64'),
    ];
  };
  const [one, two] = [await upload(gif(0)), await upload(gif(1))];
  const { category } = await ok('POST', '/category', { name: 'Drawn', icon: one });
  expect(category.icon).toBe(one);
  expect(await served(one)).toEqual([200, 'image/gif', gif(0).toString('base64')]);
  // The upload may go; a category that says its icon again, or nothing of it, keeps it.
  expect((await ask('DELETE', `/fileload/${one}`)).status).toBe(200);
  await ok('PUT', `/category/${category.id}`, { name: 'Drawn better', icon: one });
  await ok('PUT', `/category/${category.id}`, { order_important: 3 });
  expect((await served(one))[0]).toBe(200);
  await ok('PUT', `/category/${category.id}`, { icon: two });
  expect([(await served(one))[0], (await served(two))[0]]).toEqual([404, 200]);
  // What it had before is cleared with the next day's orphans, and not what it has.
  const sql = new DatabaseSync(join(station.directory, 'station.db'), { readOnly: true });
  const left = sql
    .prepare("SELECT sha256 FROM uploads WHERE family = 'left'")
    .all()
    .map(({ sha256 }) => sha256);
  sql.close();
  expect(left).toEqual([createHash('sha256').update(gif(0)).digest('hex')]);
  await refused(
    'PUT',
    `/category/${category.id}`,
    { icon: 'drill.png' },
    /^icon: there is no uploaded file drill\.png/,
  );
  await refused('POST', '/category', { name: 'Unknown', icon: 'drill.png' }, /^icon: there is no uploaded file/);
  await ok('PUT', `/category/${category.id}`, { icon: '' });
  expect([(await served(two))[0], (await served('drill.png'))[0], (await served('..%2F..%2Fstation.db'))[0]]).toEqual([
    404, 404, 404,
  ]);
  expect((await ask('GET', `/department_files/news_category/${two}`, undefined, '')).status).toBe(401);
  await refused(
    'PUT',
    `/category/${category.id}`,
    { icon: '00000000-0000-0000-0000-000000000000.png' },
    /^icon: there is no uploaded file/,
  );
  await refused(
    'POST',
    '/category',
    { name: 'Text', icon: await upload(Buffer.from('no picture')) },
    /^icon: .* is not a picture/,
  );
});

test('only administrators write reference lists; everybody reads them', async () => {
  const writes: [string, string][] = [
    ['POST', '/category'],
    ['PUT', '/category/1'],
    ['DELETE', '/category/1'],
    ['POST', '/newstype'],
    ['PUT', '/newstype/1'],
    ['DELETE', '/newstype/1'],
    ['POST', '/newstype/group'],
    ['PUT', '/newstype/group/1'],
    ['DELETE', '/newstype/group/1'],
    ['PUT', '/status/1'],
    ['POST', '/news/states'],
    ['PUT', '/news/states/1'],
    ['DELETE', '/news/states/1'],
    ['PUT', '/rights/1'],
  ];
  for (const [method, path] of writes)
    expect(
      (await ask(method, path, method === 'DELETE' ? undefined : { name: 'x', field: 'status' }, dispatcher)).status,
      `${method} ${path}`,
    ).toBe(403);
  for (const path of [
    '/category',
    '/newstype',
    '/newstype/group/list',
    '/status',
    '/news/states',
    '/news/capabilities',
    '/news/allowed',
    '/issues/capabilities',
    '/issues/states',
    '/issues/accesses',
  ])
    await ok('GET', path, undefined, dispatcher);
});

test('state rules are written and read in both forms', async () => {
  const { state } = await ok('POST', '/news/states', {
    name: 'Open',
    field: 'assigned_status',
    sign: 'in',
    value: [1, 2],
  });
  expect(state).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'Open',
    field: 'assigned_status',
    value: '1,2',
    sign: 'in',
    field_from_session: null,
  });
  expect(
    (
      await ok('PUT', `/news/states/${state.id}`, {
        sign: null,
        value: null,
        field: 'user_id',
        field_from_session: 'user_id',
      })
    ).state,
  ).toEqual({ ...state, field: 'user_id', value: null, sign: '=', field_from_session: 'user_id' });
  expect((await ok('GET', '/news/states')).states).toContainEqual(
    expect.objectContaining({ id: state.id, field_from_session: 'user_id' }),
  );
  expect(await ok('GET', '/issues/states')).toContainEqual({
    id: Number(state.id),
    name: 'Open',
    field: 'user_id',
    value: null,
    sign: '=',
    currentUserField: 'user_id',
  });
  await refused('POST', '/news/states', { name: 'x', field: 'nothing', value: 1 }, /nothing/);
  await refused('POST', '/news/states', { name: 'x', field: 'status', sign: '~', value: 1 }, /sign/);
  await refused(
    'POST',
    '/news/states',
    { name: 'x', field: 'status', field_from_session: 'passwordHash' },
    /field_from_session/,
  );
  await refused(
    'POST',
    '/news/states',
    { name: 'x', field: 'user_id', sign: 'in', field_from_session: 'user_id' },
    /sign/,
  );
  await ok('DELETE', `/news/states/${state.id}`);
  expect((await ask('DELETE', `/news/states/${state.id}`)).status).toBe(404);
});

/** All but `closures-wide`, which concerns every organization. */
const OF_ADMINISTRATORS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15];

test('an administrator has every capability in any state, in spite of the role’s list', async () => {
  const role = await ok('POST', '/rights', { name: 'Chief', admin: true, accesses: [] });
  const chief = (await station.newUser('chief', 'Chief')).token;
  const { state } = await ok('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 });
  for (const accesses of [[], [{ capability_id: 3, states: [Number(state.id)] }]]) {
    await ok('PUT', `/rights/${role.id}`, { accesses });
    const { allowed } = await ok('GET', '/news/allowed', undefined, chief);
    expect(
      allowed.map(({ capability_id: capability, states }: { capability_id: string; states: null }) => [
        capability,
        states,
      ]),
    ).toEqual(OF_ADMINISTRATORS.map((id) => [String(id), null]));
    const issues = await ok('GET', '/issues/accesses', undefined, chief);
    expect(
      issues.map(({ capabilityId, states }: { capabilityId: number; states: null }) => [capabilityId, states]),
    ).toEqual(OF_ADMINISTRATORS.map((id) => [id, null]));
    expect(new Set(issues.map(({ id }: { id: number }) => id)).size).toBe(OF_ADMINISTRATORS.length);
  }
});

test('the access rules of a role are listed in both formats and enforced', async () => {
  expect((await ok('GET', '/news/capabilities')).capabilities.map(({ name }: { name: string }) => name)).toEqual([
    'view',
    'create',
    'edit',
    'change_status',
    'confirm',
    'assign',
    'comment',
    'attach',
    'archive',
    'delete',
    'closures-wide',
    'own-places',
    'place-codes',
    'device-commands',
    'presets',
  ]);
  expect(await ok('GET', '/issues/capabilities')).toEqual(
    [
      'view',
      'create',
      'edit',
      'change_status',
      'confirm',
      'assign',
      'comment',
      'attach',
      'archive',
      'delete',
      'closures-wide',
      'own-places',
      'place-codes',
      'device-commands',
      'presets',
    ].map((name, index) => ({ id: index + 1, name, defaultValue: name === 'view' })),
  );
  const { state } = await ok('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 });
  const role = await ok('POST', '/rights', { name: 'Clerk' });
  expect(role.accesses).toEqual([{ id: 1, capability_id: 1, states: null }]);
  const clerk = await station.newUser('clerk', 'Clerk');
  await ok('PUT', `/rights/${role.id}`, {
    accesses: [
      { capability_id: 1, states: null },
      { capability_id: 3, states: [Number(state.id)] },
    ],
  });
  expect((await ok('GET', '/news/allowed', undefined, clerk.token)).allowed).toEqual([
    { id: '1', capability_id: '1', states: null },
    { id: '2', capability_id: '3', states: [state.id] },
  ]);
  expect(await ok('GET', '/issues/accesses', undefined, clerk.token)).toEqual([
    { id: 1, capabilityId: 1, states: null },
    { id: 2, capabilityId: 3, states: [Number(state.id)] },
  ]);
  const type = (await ok('GET', '/newstype')).newstype[0].news_type_id;
  const news = await task(type);
  const as = clerk.token;
  expect((await ask('POST', '/news/', { values: { title: 'x', news_type_id: Number(type) } }, as)).status).toBe(403);
  await ok('POST', `/news/${news}/update`, { title: 'Clearer' }, as);
  expect((await ask('POST', `/news/${news}/update`, { assigned_status: 2 }, as)).status).toBe(403);
  await ok('POST', `/news/${news}/update`, { assigned_status: 2 });
  expect((await ask('POST', `/news/${news}/update`, { title: 'Too late' }, as)).status).toBe(403);
  expect((await ask('DELETE', `/news/states/${state.id}`)).json().resText).toMatch(/Clerk/);
  // Seeing is limited by the same rules, in details, lists and counts.
  await ok('PUT', `/rights/${role.id}`, { accesses: [{ capability_id: 1, states: [Number(state.id)] }] });
  expect((await ask('GET', `/news/${news}`, undefined, as)).status).toBe(404);
  expect(
    (await ok('GET', '/news/listAfterId/0/0?withArchive=true', undefined, as)).news_list.map(
      (item: { id: string }) => item.id,
    ),
  ).not.toContain(String(news));
  const { countNews, statuses } = await ok('GET', '/news/count', undefined, as);
  expect(
    statuses
      .filter((one: { status_id: number }) => one.status_id !== 1)
      .every((one: { count: number }) => one.count === 0),
  ).toBe(true);
  expect((await ok('GET', `/news/listAfterId/0/0?onlyStates=${state.id}`)).count_news).toBe(countNews);
});

test('forms write them, too', async () => {
  const answered = await station.ask('POST', '/newstype', {
    as: admin,
    body: 'name=Lift&default_type=f&departments=&group_id=0&period_of_review_in_sec=60',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answered.status, answered.text).toBe(200);
  expect(answered.json().newstype).toMatchObject({ name: 'Lift', period_of_review: '00:01:00', group_id: null });
});
