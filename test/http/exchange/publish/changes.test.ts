import { EventSource } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation } from '../../try-station.ts';
import type { TryStation } from '../../try-station.ts';

let at: TryStation;
let admin: string;
let type: number;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  type = await at.taskType(admin);
});
afterAll(() => at.stop());

interface Event {
  id: string;
  event: string;
  data: string;
}

/** Reads server-sent events, as browsers do (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
class Stream {
  readonly events: Event[] = [];
  lastId = '';
  ended = false;
  readonly #end = new AbortController();

  async open(token: string, { types = '', after = '' } = {}): Promise<this> {
    const response = await fetch(`${at.station.address}/changes${types && `?types=${types}`}`, {
      headers: { authorization: `Bearer ${token}`, ...(after && { 'last-event-id': after }) },
      signal: this.#end.signal,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    void this.#read(response).catch(() => undefined);
    await expect.poll(() => this.lastId).not.toBe('');
    return this;
  }

  close(): void {
    this.#end.abort();
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
    this.ended = true;
  }

  #take(block: string): void {
    const event = { id: '', event: 'message', data: '' };
    for (const line of block.split('\n')) {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (name) event[name as keyof Event] = value!;
    }
    if (event.id) this.lastId = event.id;
    if (event.data) this.events.push(event);
  }
}

const makeTask = async (title: string): Promise<number> =>
  (await at.ok('POST', '/news/', { as: admin, body: { action: 'put', values: { title, news_type_id: type } } })).newsId;
const titles = (stream: Stream) =>
  stream.events.map(({ event, data }) => `${event} ${JSON.parse(data).data?.news?.title ?? ''}`);

test('a stream tells changes in order, and one that comes back misses nothing', async () => {
  const first = await new Stream().open(admin, { types: 'task.created,task.changed' });
  const id = await makeTask('Gas smell');
  await at.ok('POST', `/news/${id}/update`, { as: admin, body: { title: 'Gas smell in the cellar' } });
  const expected = ['task.created Gas smell', 'task.changed Gas smell in the cellar'];
  await expect.poll(() => titles(first)).toEqual(expected);
  first.close();
  await makeTask('While nobody listened');
  const second = await new Stream().open(admin, { types: 'task.created', after: first.lastId });
  await expect.poll(() => titles(second)).toEqual(['task.created While nobody listened']);
  second.close();
});

test('a stream from an unknown place begins with reset', async () => {
  const stream = await new Stream().open(admin, { after: 'another-epoch.7' });
  expect(stream.events.map(({ event }) => event)).toEqual(['reset']);
  await makeTask('After the reset');
  await expect.poll(() => titles(stream)).toEqual(['reset ', 'task.created After the reset']);
  stream.close();
});

test('a stream tells only what its user may see, and ends with the token', async () => {
  const other = await at.ok('POST', '/organizations', { as: admin, body: { name: 'Harbour' } });
  const viewer = await at.newUser('harbour', 'Viewer', { organizationId: other.id });
  const stream = await new Stream().open(viewer.token);
  const all = await new Stream().open(admin);
  await makeTask('Of the first organization');
  await expect.poll(() => titles(all)).toHaveLength(1);
  expect(titles(stream)).toEqual([]);
  await at.ok('PUT', `/users/${viewer.id}`, { as: admin, body: { enabled: false } });
  await makeTask('Wakes the stream');
  await expect.poll(() => stream.ended).toBe(true);
  expect(titles(stream)).toEqual([]);
  all.close();
});

test('wrong types, no token and too many streams are refused', async () => {
  expect((await at.ask('GET', '/changes?types=task.eaten', { as: admin })).status).toBe(400);
  expect((await at.ask('GET', '/changes')).status).toBe(401);
  const key = await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'Calls', scopes: ['calls'] } });
  expect((await at.ask('GET', '/changes', { as: key.token })).status).toBe(403);
  const streams = await Promise.all(Array.from({ length: 20 }, () => new Stream().open(admin)));
  await expect(new Stream().open(admin)).rejects.toThrow(/409 A user follows at most 20/);
  for (const stream of streams) stream.close();
  await expect.poll(() => new Stream().open(admin).then((stream) => stream.close())).toBe(undefined);
});

test('an EventSource of another implementation receives a task', async () => {
  const source = new EventSource(`${at.station.address}/changes?types=task.created&token=${admin}`, {
    node: { reconnectionTime: 20 },
  });
  const titles: string[] = [];
  source.addEventListener('task.created', (event) => {
    titles.push(
      (JSON.parse((event as MessageEvent<string>).data) as { data: { news: { title: string } } }).data.news.title,
    );
  });
  const create = (title: string) =>
    at.ok('POST', '/news/', { as: admin, body: { values: { title, news_type_id: type } } });
  await expect.poll(() => source.readyState).toBe(EventSource.OPEN);
  await create('Tree on the road');
  await expect.poll(() => titles).toEqual(['Tree on the road']);
  source.close();
});
