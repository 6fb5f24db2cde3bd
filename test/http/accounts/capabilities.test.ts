import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { lettersIn } from '../../unit/reporting/reports/letters-in.ts';
import { tryStation, type TestResponse, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let type: number;
let assignee: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  type = Number((await ok('GET', '/newstype')).newstype[0].news_type_id);
  assignee = (await station.newUser('crew', 'Viewer')).id;
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<TestResponse> =>
  station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const newTask = async (): Promise<number> =>
  (await ok('POST', '/news/', { values: { title: 'Stuck lift', news_type_id: type } })).newsId;

async function upload(as: string): Promise<string> {
  const body =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nKey under the mat\r\n--x--\r\n';
  const answered = await station.ask('POST', '/fileload', {
    as,
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  return answered.json().data[0];
}

/** What each capability is for, done with a message. */
const ACTIONS: Record<string, (as: string, news: number) => Promise<TestResponse>> = {
  view: (as, news) => ask('GET', `/news/${news}`, undefined, as),
  create: (as) => ask('POST', '/news/', { values: { title: 'One more', news_type_id: type } }, as),
  edit: (as, news) => ask('POST', `/news/${news}/update`, { title: 'Clearer' }, as),
  change_status: (as, news) => ask('POST', `/news/${news}/update`, { assigned_status: 3 }, as),
  confirm: (as, news) => ask('POST', `/news/${news}/update`, { confirmed: 1 }, as),
  assign: (as, news) => ask('POST', `/news/${news}/update`, { assigned_user_id: assignee }, as),
  comment: (as, news) => ask('POST', `/news/${news}/comments`, { action: 'post', comment: 'On our way' }, as),
  attach: async (as, news) =>
    ask('POST', `/news/${news}/update`, { files: [{ file: await upload(admin), fileName: 'note.txt' }] }, as),
  archive: (as, news) => ask('POST', `/news/${news}/update`, { archive: true }, as),
  delete: (as, news) => ask('POST', `/news/${news}/`, { action: 'delete' }, as),
};
const CAPABILITIES = Object.keys(ACTIONS);

async function newRole(
  name: string,
  capabilities: readonly string[],
): Promise<{ right: number; as: string; id: number }> {
  const { id: role } = await ok('POST', '/rights', {
    name,
    accesses: capabilities.map((capability) => ({ capability_id: CAPABILITIES.indexOf(capability) + 1, states: null })),
  });
  const { token, id } = await station.newUser(name.replaceAll(' ', '-'), name);
  return { right: role, as: token, id };
}

test('the capabilities are those of the interface', async () => {
  expect((await ok('GET', '/news/capabilities')).capabilities.map(({ name }: { name: string }) => name)).toEqual([
    ...CAPABILITIES,
    'closures-wide',
    'own-places',
    'place-codes',
    'device-commands',
    'presets',
  ]);
});

test.each(CAPABILITIES)(
  'who may %s and no more does just that, who may do all else does not; and a trial of the right says the same',
  async (capability) => {
    const listed = [
      new Set(['view', capability]),
      new Set(CAPABILITIES.filter((each) => each !== capability)),
    ] as const;
    const roles = [
      await newRole(`just ${capability}`, [...listed[0]]),
      await newRole(`all but ${capability}`, [...listed[1]]),
    ];
    for (const [index, { right, as, id }] of roles.entries()) {
      const sees = listed[index]!.has('view');
      for (const action of CAPABILITIES) {
        const news = await newTask();
        const may = listed[index]!.has(action) && (sees || action === 'create');
        const { capabilities } = await ok('POST', '/news/allowed/try', { right_id: right, news_id: news, user_id: id });
        expect(capabilities.find(({ name }: { name: string }) => name === action).allowed, `trial of ${action}`).toBe(
          may ? 't' : 'f',
        );
        const answered = await ACTIONS[action]!(as, news);
        expect(answered.status, `${action}: ${answered.text}`).toBe(
          may ? 200 : sees || action === 'create' ? 403 : 404,
        );
        if (may || action === 'create') continue;
        expect((await ok('GET', `/news/${news}/history`)).history, `${action} left a trace`).toEqual([]);
        expect((await ok('GET', `/news/${news}/comments`)).comments).toEqual([]);
        expect((await ok('GET', `/news/${news}/files`)).files).toEqual([]);
      }
    }
  },
);

test('parts of a request need their own capability: a comment in an update, files of a new task', async () => {
  const { as: silent } = await newRole(
    'all but comment, too',
    CAPABILITIES.filter((each) => each !== 'comment'),
  );
  const { as: bare } = await newRole(
    'all but attach, too',
    CAPABILITIES.filter((each) => each !== 'attach'),
  );
  const news = await newTask();
  expect(
    (await ask('POST', `/news/${news}/update`, { title: 'Clearer', update_comments: 'Not for me to say' }, silent))
      .status,
  ).toBe(403);
  expect((await ok('GET', `/news/${news}`)).news_data.title).toBe('Stuck lift');
  expect((await ok('GET', `/news/${news}/comments`)).comments).toEqual([]);
  const before = (await ok('GET', '/news/count')).countNews;
  expect(
    (
      await ask(
        'POST',
        '/news/',
        { values: { title: 'With a note', news_type_id: type }, files: [await upload(admin)] },
        bare,
      )
    ).status,
  ).toBe(403);
  expect((await ok('GET', '/news/count')).countNews).toBe(before);
});

test('two users of different roles: each gets in lists, counts, details, papers and the replica what their role sees, and nothing else', async () => {
  const { state: isNew } = await ok('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 });
  const { id: role } = await ok('POST', '/rights', {
    name: 'New ones only',
    accesses: [{ capability_id: 1, states: [Number(isNew.id)] }],
  });
  expect(role).toBeGreaterThan(0);
  const [some, all] = [
    (await station.newUser('some', 'New ones only')).token,
    (await station.newUser('all', 'Viewer')).token,
  ];
  const [fresh, feedback] = [await newTask(), await newTask()];
  await ok('POST', `/news/${feedback}/update`, {
    assigned_status: 3,
    update_comments: 'For the author only',
    updatecomment_visible_user: true,
  });
  await ok('POST', `/news/${feedback}/comments`, { action: 'post', comment: 'For everybody' });
  const listed = async (as: string) =>
    (await ok('GET', '/news/listAfterId/0/500', undefined, as)).news_list.map(({ id }: { id: string }) => Number(id));
  const held = async (as: string, collection: string) =>
    (await ok('GET', `/replica/${collection}?limit=1000&after=0`, undefined, as)).documents.map(
      ({ id }: { id: number }) => id,
    );
  for (const [as, sees] of [
    [some, [fresh]],
    [all, [fresh, feedback]],
  ] as const) {
    for (const get of [listed, (token: string) => held(token, 'messages')]) {
      const ids = await get(as);
      expect([fresh, feedback].filter((id) => ids.includes(id))).toEqual(sees);
    }
    for (const path of ['', '/pdf', '/history', '/comments', '/files', '/text', '/shortdata'])
      expect((await ask('GET', `/news/${feedback}${path}`, undefined, as)).status, path).toBe(
        (sees as readonly number[]).includes(feedback) ? 200 : 404,
      );
  }
  // The comment for the author is nobody's else, in the interface and in the replica.
  const texts = async (as: string) =>
    (await ok('GET', `/news/${feedback}/comments`, undefined, as)).comments.map(
      ({ comment }: { comment: string }) => comment,
    );
  expect(await texts(admin)).toEqual(['For the author only', 'For everybody']);
  expect(await texts(all)).toEqual(['For everybody']);
  expect((await held(admin, 'comments')).length - (await held(all, 'comments')).length).toBeGreaterThanOrEqual(1);
  expect(
    (await ok('GET', '/replica/comments?limit=1000&after=0', undefined, all)).documents.map(
      ({ text }: { text?: string }) => text,
    ),
  ).not.toContain('For the author only');
  const tasksOfComments = async (as: string) =>
    (await ok('GET', '/replica/comments?limit=1000&after=0', undefined, as)).documents.map(
      ({ taskId }: { taskId: number }) => taskId,
    );
  expect(await tasksOfComments(all)).toContain(feedback);
  expect(await tasksOfComments(some)).not.toContain(feedback);
  // When the role changes, a console begins again and ends with what is left to it.
  const { epoch } = await ok('GET', '/replica/messages?limit=1000&after=0', undefined, some);
  await ok('PUT', `/rights/${role}`, { accesses: [] });
  expect(await ok('GET', `/replica/messages?limit=1000&after=0&epoch=${epoch}`, undefined, some)).toMatchObject({
    reset: true,
  });
  expect(await held(some, 'messages')).toEqual([]);
  expect(await listed(some)).toEqual([]);
});

test('two users of different roles: counts, search, thumbnails and printed comments too show only what each may see', async () => {
  const { state } = await ok('POST', '/news/states', { name: 'Still new', field: 'assigned_status', value: 1 });
  await ok('POST', '/rights', { name: 'Still new only', accesses: [{ capability_id: 1, states: [Number(state.id)] }] });
  const [some, all] = [
    (await station.newUser('few', 'Still new only')).token,
    (await station.newUser('many', 'Viewer')).token,
  ];
  const category = Number((await ok('POST', '/category', { name: 'Of this test' })).category.id);
  const photo = await uploadPhoto();
  const make = async (title: string): Promise<number> =>
    (await ok('POST', '/news/', { values: { title, news_type_id: type, category }, point: [10, 45], photos: [photo] }))
      .newsId;
  const [fresh, feedback] = [await make('Lantern fresh'), await make('Lantern answered')];
  await ok('POST', `/news/${feedback}/update`, {
    assigned_status: 3,
    update_comments: 'Only \u03a9',
    updatecomment_visible_user: true,
  });
  await ok('POST', `/news/${feedback}/comments`, { action: 'post', comment: 'All \u03a8' });
  const [{ id: photoId }] = (await ok('GET', `/news/${feedback}/photos`)).photos;
  const numbers = async (as: string) => {
    const [{ countNews, statuses }, { count_news: listed }, stats, within] = await Promise.all([
      ok('GET', `/news/count?category_id=${category}`, undefined, as),
      ok('GET', `/news/listAfterId/0/1?category_id=${category}`, undefined, as),
      ok('GET', '/news/stats', undefined, as),
      ok('GET', `/news/count?category_id=${category}&date_from=0`, undefined, as),
    ]);
    const ofCategory = stats.categories.find(
      ({ category_id: id }: { category_id: number }) => id === category,
    ).statuses;
    return [
      countNews,
      listed,
      within.countNews,
      ...[statuses, ofCategory].map((each) => each.map(({ count }: { count: number }) => count).join()),
    ];
  };
  // At one time, too: neither is answered with what the other asked.
  expect(await Promise.all([numbers(some), numbers(all), numbers(some)])).toEqual([
    [1, 1, 1, '1,0,0,0', '1,0,0,0'],
    [2, 2, 2, '1,0,1,0', '1,0,1,0'],
    [1, 1, 1, '1,0,0,0', '1,0,0,0'],
  ]);
  const found = async (as: string) =>
    ((await ok('GET', '/geocoding?query=lantern', undefined, as)) as { items: { pkid: number }[] }[])
      .flatMap(({ items }) => items.map(({ pkid }) => pkid))
      .sort();
  expect([await found(some), await found(all)]).toEqual([[fresh], [fresh, feedback]]);
  for (const path of [`/news/${feedback}/photos/${photoId}/5/5`, `/department_files/photos/photo_1_${feedback}_0.png`])
    expect([(await ask('GET', path, undefined, some)).status, (await ask('GET', path, undefined, all)).status]).toEqual(
      [404, 200],
    );
  const printed = async (as: string) => {
    const letters = lettersIn(
      new Uint8Array(await (await fetch(`${station.station.address}/news/${feedback}/pdf?token=${as}`)).arrayBuffer()),
    );
    return ['\u03a8', '\u03a9'].map((letter) => letters.has(letter));
  };
  expect([await printed(all), await printed(admin)]).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('an invisible task behaves as if it did not exist, on every path', async () => {
  const { id: organizationId } = await ok('POST', '/organizations', { name: 'Far away' });
  await ok('POST', '/rights', { name: 'Chief far away', admin: true });
  const chief = (await station.newUser('far-chief', 'Chief far away', { organizationId })).token;
  const news = await newTask();
  const roles: { id: number; name: string }[] = await ok('GET', '/rights');
  const viewer = roles.find(({ name }) => name === 'Viewer')!.id;
  const statuses = async () => [
    (await ask('POST', `/news/${news}/update`, {}, chief)).status,
    (await ask('POST', '/news/allowed/try', { right_id: viewer, news_id: news }, chief)).status,
    (await ask('POST', `/news/${news}/`, { action: 'restore' }, chief)).status,
    (await ask('POST', `/news/${news}/comments`, { action: 'post', comment: 'x' }, chief)).status,
  ];
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await ok('POST', `/news/${news}/`, { action: 'delete' });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await ok('POST', `/news/${news}/`, { action: 'restore' });
});

test('a vehicle of another organisation is not sent, and one that serves the message already may stay', async () => {
  const { id: organizationId } = await ok('POST', '/organizations', { name: 'Other yard' });
  const { as } = await newRole('dispatches', ['view', 'assign', 'edit']);
  const [own, foreign] = [
    await ok('POST', '/cars', { name: 'Own', glonassId: 501 }),
    await ok('POST', '/cars', { name: 'Foreign', glonassId: 502, organizationId }),
  ];
  const news = await newTask();
  const refused = await ask('POST', `/news/${news}/update`, { assigned_car_id: foreign.id }, as);
  expect([refused.status, refused.json().resText]).toEqual([400, `assigned_car_id ${foreign.id} does not exist.`]);
  expect((await ask('POST', `/news/${news}/update`, { assigned_car_id: own.id }, as)).status).toBe(200);
  await ok('POST', `/news/${news}/update`, { assigned_car_id: foreign.id });
  expect(
    (await ask('POST', `/news/${news}/update`, { assigned_car_id: foreign.id, title: 'Clearer' }, as)).status,
  ).toBe(200);
});

test('files are taken away and brought back by those who may attach', async () => {
  const news = await newTask();
  await ok('POST', `/news/${news}/update`, { files: [{ file: await upload(admin), fileName: 'note.txt' }] });
  const [{ id }] = (await ok('GET', `/news/${news}/files`)).files;
  const { as } = await newRole('only looks', ['view', 'edit', 'comment']);
  const ofOther = await newTask();
  for (const action of ['delete', 'restore']) {
    expect([
      action,
      (await ask('POST', `/news/${news}/files/${id}`, { action }, as)).status,
      (await ask('POST', `/news/${ofOther}/files/${id}`, { action })).status,
    ]).toEqual([action, 403, 404]);
    expect((await ask('POST', `/news/${news}/files/${id}`, { action })).status).toBe(200);
    expect((await ok('GET', `/news/${news}/files`)).files).toHaveLength(action === 'delete' ? 0 : 1);
  }
});

async function uploadPhoto(): Promise<string> {
  const form = new FormData();
  form.set(
    'file',
    new Blob([
      (await sharp({ create: { width: 12, height: 8, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()) as Uint8Array<ArrayBuffer>,
    ]),
    'p.png',
  );
  return (
    (await (
      await fetch(`${station.station.address}/fileload?token=${admin}`, { method: 'POST', body: form })
    ).json()) as { data: string[] }
  ).data[0]!;
}
