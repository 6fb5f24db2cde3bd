import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type Answered, type TryStation } from './try-station.ts';

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

const ask = (method: string, path: string, body?: unknown, as = admin): Promise<Answered> => station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: unknown, as = admin) => station.ok(method, path, { as, body });
const newMessage = async (): Promise<number> => (await ok('POST', '/news/', { values: { title: 'Stuck lift', news_type_id: type } })).newsId;

async function upload(as: string): Promise<string> {
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nKey under the mat\r\n--x--\r\n';
  const answered = await station.ask('POST', '/fileload', { as, body, headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  return answered.json().data[0];
}

/** What each capability is for, done with a message. */
const DEEDS: Record<string, (as: string, news: number) => Promise<Answered>> = {
  view: (as, news) => ask('GET', `/news/${news}`, undefined, as),
  create: (as) => ask('POST', '/news/', { values: { title: 'One more', news_type_id: type } }, as),
  edit: (as, news) => ask('POST', `/news/${news}/update`, { title: 'Clearer' }, as),
  change_status: (as, news) => ask('POST', `/news/${news}/update`, { assigned_status: 3 }, as),
  confirm: (as, news) => ask('POST', `/news/${news}/update`, { confirmed: 1 }, as),
  assign: (as, news) => ask('POST', `/news/${news}/update`, { assigned_user_id: assignee }, as),
  comment: (as, news) => ask('POST', `/news/${news}/comments`, { action: 'post', comment: 'On our way' }, as),
  attach: async (as, news) => ask('POST', `/news/${news}/update`, { files: [{ file: await upload(as), fileName: 'note.txt' }] }, as),
  archive: (as, news) => ask('POST', `/news/${news}/update`, { archive: true }, as),
  delete: (as, news) => ask('POST', `/news/${news}/`, { action: 'delete' }, as),
};
const CAPABILITIES = Object.keys(DEEDS);

async function newRole(name: string, capabilities: readonly string[]): Promise<{ right: number; as: string; id: number }> {
  const { id: right } = await ok('POST', '/rights', { name, accesses: capabilities.map((capability) => ({ capability_id: CAPABILITIES.indexOf(capability) + 1, states: null })) });
  const { token, id } = await station.newUser(name.replaceAll(' ', '-'), name);
  return { right, as: token, id };
}

test('the capabilities are those of the interface', async () => {
  expect((await ok('GET', '/news/capabilities')).capabilities.map(({ name }: { name: string }) => name)).toEqual(CAPABILITIES);
});

test.each(CAPABILITIES)('who may %s and no more does just that, who may do all else does not; and a trial of the right says the same', async (capability) => {
  const listed = [new Set(['view', capability]), new Set(CAPABILITIES.filter((each) => each !== capability))] as const;
  const roles = [await newRole(`just ${capability}`, [...listed[0]]), await newRole(`all but ${capability}`, [...listed[1]])];
  for (const [index, { right, as, id }] of roles.entries()) {
    const sees = listed[index]!.has('view');
    for (const deed of CAPABILITIES) {
      const news = await newMessage();
      const may = listed[index]!.has(deed) && (sees || deed === 'create');
      const { capabilities } = await ok('POST', '/news/allowed/try', { right_id: right, news_id: news, user_id: id });
      expect(capabilities.find(({ name }: { name: string }) => name === deed).allowed, `trial of ${deed}`).toBe(may ? 't' : 'f');
      const answered = await DEEDS[deed]!(as, news);
      expect(answered.status, `${deed}: ${answered.text}`).toBe(may ? 200 : sees || deed === 'create' ? 403 : 404);
      if (may || deed === 'create') continue;
      expect((await ok('GET', `/news/${news}/history`)).history, `${deed} left a trace`).toEqual([]);
      expect((await ok('GET', `/news/${news}/comments`)).comments).toEqual([]);
      expect((await ok('GET', `/news/${news}/files`)).files).toEqual([]);
    }
  }
});

test('what comes along needs its own capability: a comment with an update, files with a new message', async () => {
  const { as: silent } = await newRole('all but comment, too', CAPABILITIES.filter((each) => each !== 'comment'));
  const { as: bare } = await newRole('all but attach, too', CAPABILITIES.filter((each) => each !== 'attach'));
  const news = await newMessage();
  expect((await ask('POST', `/news/${news}/update`, { title: 'Clearer', update_comments: 'Not for me to say' }, silent)).status).toBe(403);
  expect((await ok('GET', `/news/${news}`)).news_data.title).toBe('Stuck lift');
  expect((await ok('GET', `/news/${news}/comments`)).comments).toEqual([]);
  const before = (await ok('GET', '/news/count')).countNews;
  expect((await ask('POST', '/news/', { values: { title: 'With a note', news_type_id: type }, files: [await upload(bare)] }, bare)).status).toBe(403);
  expect((await ok('GET', '/news/count')).countNews).toBe(before);
});

test('two users of different roles: each gets in lists, counts, details, papers and the replica what their role sees, and nothing else', async () => {
  const { state: isNew } = await ok('POST', '/news/states', { name: 'New', field: 'assigned_status', value: 1 });
  const { id: right } = await ok('POST', '/rights', { name: 'New ones only', accesses: [{ capability_id: 1, states: [Number(isNew.id)] }] });
  expect(right).toBeGreaterThan(0);
  const [some, all] = [(await station.newUser('some', 'New ones only')).token, (await station.newUser('all', 'Viewer')).token];
  const [fresh, feedback] = [await newMessage(), await newMessage()];
  await ok('POST', `/news/${feedback}/update`, { assigned_status: 3, update_comments: 'For the author only', updatecomment_visible_user: true });
  await ok('POST', `/news/${feedback}/comments`, { action: 'post', comment: 'For everybody' });
  const listed = async (as: string) => (await ok('GET', '/news/listAfterId/0/500', undefined, as)).news_list.map(({ id }: { id: string }) => Number(id));
  const held = async (as: string, collection: string) => (await ok('GET', `/replica/${collection}?limit=1000&after=0`, undefined, as)).documents.map(({ id }: { id: number }) => id);
  for (const [as, sees] of [[some, [fresh]], [all, [fresh, feedback]]] as const) {
    for (const get of [listed, (token: string) => held(token, 'messages')]) {
      const ids = await get(as);
      expect([fresh, feedback].filter((id) => ids.includes(id))).toEqual(sees);
    }
    for (const path of ['', '/pdf', '/history', '/comments', '/files', '/text', '/shortdata']) expect((await ask('GET', `/news/${feedback}${path}`, undefined, as)).status, path).toBe((sees as readonly number[]).includes(feedback) ? 200 : 404);
  }
  // The comment for the author is nobody's else, in the interface and in the replica.
  const texts = async (as: string) => (await ok('GET', `/news/${feedback}/comments`, undefined, as)).comments.map(({ comment }: { comment: string }) => comment);
  expect(await texts(admin)).toEqual(['For the author only', 'For everybody']);
  expect(await texts(all)).toEqual(['For everybody']);
  expect((await held(admin, 'comments')).length - (await held(all, 'comments')).length).toBeGreaterThanOrEqual(1);
  expect((await ok('GET', '/replica/comments?limit=1000&after=0', undefined, all)).documents.map(({ text }: { text?: string }) => text)).not.toContain('For the author only');
  const messagesOfComments = async (as: string) => (await ok('GET', '/replica/comments?limit=1000&after=0', undefined, as)).documents.map(({ messageId }: { messageId: number }) => messageId);
  expect(await messagesOfComments(all)).toContain(feedback);
  expect(await messagesOfComments(some)).not.toContain(feedback);
  // When the role changes, a console begins anew and ends with what is left to it.
  const { epoch } = await ok('GET', '/replica/messages?limit=1000&after=0', undefined, some);
  await ok('PUT', `/rights/${right}`, { accesses: [] });
  expect(await ok('GET', `/replica/messages?limit=1000&after=0&epoch=${epoch}`, undefined, some)).toMatchObject({ reset: true });
  expect(await held(some, 'messages')).toEqual([]);
  expect(await listed(some)).toEqual([]);
});
