import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Agent, fetch } from 'undici';
import { createApp } from '../../server/http/app.ts';
import { listen } from '../../server/http/listen.ts';
import { newsRoutes } from '../../server/http/news.ts';
import { replicaRoutes } from '../../server/http/replica.ts';
import { route, type Route } from '../../server/http/route.ts';
import type { ListQuery } from '../../server/tasks/index.ts';
import type { Actor } from '../../shared/access.ts';
import type { Message } from '../../shared/records/index.ts';
import { openControlRoom, type ControlRoom } from '../unit/tasks/control-room.ts';
import { task } from '../unit/tasks/town-hall.ts';
import type { BenchReport } from './run.ts';

/** A million with WAYPOST_BENCH_FULL=1. */
const TASKS = process.env['WAYPOST_BENCH_FULL'] === '1' ? 1_000_000 : Number(process.env['WAYPOST_BENCH_TASKS'] ?? 100_000);
const ROUNDS = 300;

/** Pages of 50 of many tasks over HTTP, beside the same rows by raw SQL through the same HTTP server. */
export default async function bench(report: BenchReport): Promise<void> {
  const room = await openControlRoom();
  const member = await room.person(0, {});
  const wheel = await room.person(0, { wheel: true, admin: true });
  await fill(room, member.user.id);
  await benchSorts(report, room, member, wheel);
  await benchStats(report, room, wheel);
  await benchCreate(report, room, wheel);
  const callers = { member, wheel };
  let who: keyof typeof callers = 'member';
  const app = createApp({
    routes: [...newsRoutes({ tasks: room.tasks, fleet: room.fleet, travelTimes: async () => 'no-territory', now: Date.now }), ...replicaRoutes(room.store.feed, { tasks: room.tasks, now: () => room.clock.now }), ...rawRoutes(room)],
    authenticate: () => ({ ...callers[who], token: { id: 1, kind: 'session', scopes: null } }),
    reportBug: (_id, error) => console.error(error),
  });
  const http = await listen(app, { host: '127.0.0.1', port: 0 });
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${http.address}${path}`, { dispatcher, headers: { authorization: 'Bearer bench' } });
    if (response.status !== 200) throw new Error(await response.text());
    return response.text();
  };
  const middle = (JSON.parse(await ask('/news/listAfterId/0/500')) as { news_list: { id: string }[] }).news_list.at(-1)!.id;
  const raw = await median(() => ask('/raw/own'));
  const rawAll = await median(() => ask('/raw/all'));
  report.ratio('50 newest tasks of the own department', await median(() => ask('/news/listAfterId/0/0')), raw, 'ms', 'against the same rows by raw SQL');
  report.ratio('the page after message 500', await median(() => ask(`/news/listAfterId/${middle}/0`)), raw, 'ms');
  report.ratio('with the assigned ones of other departments', await median(() => ask('/news/listAfterId/0/0?withAssigned=true&withClosed=true')), raw, 'ms');
  report.ratio('with the archived ones', await median(() => ask('/news/listAfterId/0/0?withArchive=true')), raw, 'ms');
  report.ratio('by date of update', await median(() => ask('/news/listAfterId/0/0?sortBy=update_date')), raw, 'ms');
  report.ratio('of one category', await median(() => ask('/news/listAfterId/0/0?category_id=2')), raw, 'ms');
  report.ratio('a count', await median(() => ask('/news/count')), raw, 'ms');
  who = 'wheel';
  report.ratio('50 newest tasks of all departments', await median(() => ask('/news/listAfterId/0/0')), rawAll, 'ms', 'against the same rows by raw SQL');
  report.ratio('all departments by author', await median(() => ask('/news/listAfterId/0/0?sortBy=user_id')), rawAll, 'ms');
  const started = performance.now();
  let late = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    late = Math.max(late, performance.now() - last - 2);
    last = performance.now();
  }, 2);
  await room.tasks.count(wheel, { typeIds: room.typeIds.slice(0, 3) });
  clearInterval(timer);
  report.line(`the first count of a new filter, every message read: ${(performance.now() - started).toFixed(0)} ms, in which a timer was at most ${late.toFixed(0)} ms late`);
  who = 'member';
  await pullAll(report, 'the working set of one department', ask);
  who = 'wheel';
  await pullAll(report, 'the working set of everybody', ask);
  await http.stop();
  await dispatcher.close();
  await room.close();
}

/** Each order with three usual sets of filters, beside SQL written by hand for that very page, which reads and parses the same rows. */
async function benchSorts(report: BenchReport, room: ControlRoom, member: Actor, wheel: Actor): Promise<void> {
  const table = room.store.table('messages');
  const own = `deleted=0 AND withdrawn=0 AND archived=0 AND departmentId=${member.user.organizationId}`;
  const sets: [string, Actor, ListQuery, string][] = [
    ['the own department', member, {}, own],
    ['open ones of the own department', member, { onlyStatus: [1, 2, 3] }, `${own} AND status IN (1,2,3)`],
    ['two types of all departments', wheel, { typeIds: room.typeIds.slice(0, 2) }, `deleted=0 AND withdrawn=0 AND archived=0 AND typeId IN (${room.typeIds.slice(0, 2).join(',')})`],
  ];
  for (const sortBy of ['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'] as const) {
    for (const [name, actor, query, condition] of sets) {
      const order = sortBy === 'id' ? 'key DESC' : `${sortBy} DESC, key DESC`;
      const statement = room.store.sql.prepare(`SELECT data FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT 50`);
      const rows = statement.all();
      const page = room.tasks.page(actor, { ...query, sortBy });
      if (page.length !== rows.length || page.some((message, index) => message.id !== (JSON.parse(String(rows[index]!['data'])) as Message).id)) throw new Error(`The page by ${sortBy} is not that of the SQL.`);
      const byHand = await median(async () => void statement.all().map((row) => JSON.parse(String(row['data'])) as Message), 40);
      report.ratio(`${name} by ${sortBy}`, await median(async () => void room.tasks.page(actor, { ...query, sortBy }), 40), byHand, 'ms', 'against SQL by hand');
    }
  }
}

/** How much later the slowest of a hundred pages comes while statistics are counted all the time. */
async function benchStats(report: BenchReport, room: ControlRoom, wheel: Actor): Promise<void> {
  await room.tasks.list(wheel, {});
  const alone = await slowest(() => room.tasks.list(wheel, {}));
  let asked = 0;
  let going = true;
  let spent = 0;
  const counting = (async () => {
    for (; going; asked++) {
      const begun = performance.now();
      await room.tasks.stats(wheel, { from: asked });
      spent += performance.now() - begun;
      await new Promise((resolve) => setTimeout(resolve, 50)); // as many people as a control room has look at them
    }
  })();
  const meanwhile = await slowest(() => room.tasks.list(wheel, {}));
  going = false;
  await counting;
  report.ratio('99th percentile of a page while statistics are counted', meanwhile, alone, 'ms', 'against the same alone');
  report.line(`statistics of ${TASKS.toLocaleString('en')} messages: ${(spent / asked).toFixed(0)} ms each, in the worker`);
  report.line(`memory: ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
}

/** A message that is created and on the disk, beside a raw insert of the same record that is. */
async function benchCreate(report: BenchReport, room: ControlRoom, wheel: Actor): Promise<void> {
  const messages = room.store.records('messages');
  const text = JSON.stringify(messages.get(room.tasks.page(wheel, { limit: 1 })[0]!.id));
  const raw = new DatabaseSync(`${room.store.file}.bench`);
  raw.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE messages (key INTEGER PRIMARY KEY, data TEXT)');
  const insert = raw.prepare('INSERT INTO messages (data) VALUES (?)');
  const rawTime = await median(async () => void insert.run(text), 100);
  const time = await median(() => room.tasks.create(wheel, { title: 'Burst pipe', typeId: room.typeIds[0]!, text: 'Water' }), 100);
  raw.close();
  report.ratio('a message created and on the disk', time, rawTime, 'ms', 'against a raw durable insert');
}

/** The 99th percentile, in milliseconds; between two rounds the event loop turns. */
async function slowest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 500; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

async function pullAll(report: BenchReport, name: string, ask: (path: string) => Promise<string>): Promise<void> {
  const started = performance.now();
  let documents = 0;
  let longest = 0;
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const asked = performance.now();
    const page = JSON.parse(await ask(`/replica/messages?limit=1000&after=${after}`)) as { documents: unknown[]; checkpoint: string; more: boolean };
    longest = Math.max(longest, performance.now() - asked);
    documents += page.documents.length;
    after = page.more ? page.checkpoint : undefined;
  }
  report.line(`replica, ${name}: ${documents} messages in ${(performance.now() - started).toFixed(0)} ms, the longest page ${longest.toFixed(0)} ms`);
}

async function fill(room: ControlRoom, author: number): Promise<void> {
  const messages = room.store.records('messages');
  for (let done = 0; done < TASKS; done += 1000) {
    await messages.insertMany(
      Array.from({ length: 1000 }, (_, index) => {
        const n = done + index;
        const at = room.clock.now - n * 7_919_000;
        return task({
          id: messages.nextId(), title: `Task ${n}`, text: 'Water comes up through the road surface in front of the house; the caller says that it is getting more. '.repeat(4), departmentId: room.departments[n % 3]!,
          authorId: author, typeId: room.typeIds[n % room.typeIds.length]!, categoryId: n % 5, status: 1 + (n % 4), statusSince: at, archived: n % 10 > 6, date: at, updatedAt: at + (n % 50) * 1000,
          address: `Harbour Street ${n % 200}`, point: { lon: 9.5 + (n % 1000) / 10_000, lat: 47.1 + (n % 997) / 10_000, zoom: 16 }, assignedDepartmentId: n % 11 === 0 ? room.departments[(n + 1) % 3]! : 0,
        });
      }),
    );
  }
}

/** What SQLite and the HTTP server cost alone: the stored text of the rows, joined, not even parsed. */
function rawRoutes({ store, departments }: ControlRoom): Route[] {
  const raw = (path: string, condition: string, values: number[]): Route => {
    const statement = store.sql.prepare(`SELECT data FROM ${store.table('messages')} WHERE deleted=0 AND withdrawn=0 AND archived=0${condition} ORDER BY date DESC, key DESC LIMIT 50`);
    return route({ method: 'GET', path, family: 'station', access: 'user', summary: 'The same rows', answer: { type: 'application/json' }, run: () => `[${statement.all(...values).map((row) => String(row['data'])).join(',')}]` });
  };
  return [raw('/raw/own', ' AND departmentId=?', [departments[0]!]), raw('/raw/all', '', [])];
}

/** Milliseconds. */
async function median(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  for (let warm = 0; warm < Math.min(30, rounds / 4); warm++) await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}
