/**
 * `node tasks-by-hand.ts DIRECTORY FACTS`: the lists of the benchmark by hand-written SQL over a station's
 * file, and a raw durable insert, through the same HTTP server as the station's, in a process of its own.
 * Rows are read, parsed and answered as they are: no names, no dates in words, no rights, no count. Of each
 * list the plan is taken that was the quickest in a trial, as somebody would who writes it by hand.
 */
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { createApp } from '../../../server/http/app/app.ts';
import { listen } from '../../../server/http/listener/listen.ts';
import { route, type DeclaredRoute } from '../../../server/http/app/route.ts';
import { indexName } from '../../../server/store/types.ts';
import { tasks, type Task } from '../../../shared/records/index.ts';
import { listCases, SORTS, type ListCase, type Sort } from './tasks-cases.ts';
import type { TasksFacts } from './tasks-data.ts';

const [directory, factsText] = process.argv.slice(2) as [string, string];
const facts = JSON.parse(factsText) as TasksFacts;
const TABLE = '"station.tasks.3"';
const sql = new DatabaseSync(join(directory, 'station.db'), { readOnly: true });
sql.exec('PRAGMA cache_size = -32768');

function statementsFor({ where, along }: ListCase, sort: Sort): string[] {
  const order = sort === 'id' ? 'key DESC' : `${SORTS[sort]} DESC, key DESC`;
  const plain = `SELECT data FROM ${TABLE} WHERE ${where} ORDER BY ${order} LIMIT 50`;
  const by = (name: string) =>
    indexName(
      TABLE,
      tasks.tableIndexes!.find((index) => index.name === name)!,
    );
  const hinted = [sort === 'id' ? 'id' : SORTS[sort], ...along].map(
    (name) =>
      `SELECT data FROM ${TABLE} WHERE rowid IN (SELECT rowid FROM ${TABLE} INDEXED BY ${by(name)} WHERE ${where} ORDER BY ${order} LIMIT 50) ORDER BY ${order}`,
  );
  return [plain, ...hinted];
}

function quickest(texts: readonly string[]): StatementSync {
  let best: { statement: StatementSync; time: number } | undefined;
  for (const text of texts) {
    const statement = sql.prepare(text);
    statement.all();
    const begun = performance.now();
    statement.all();
    const time = performance.now() - begun;
    if (!best || time < best.time) best = { statement, time };
  }
  return best!.statement;
}

const lists = new Map<string, StatementSync>();
for (const [at, each] of listCases(facts).entries())
  for (const sort of Object.keys(SORTS) as Sort[]) lists.set(`${at} ${sort}`, quickest(statementsFor(each, sort)));

const own = new DatabaseSync(join(directory, 'by-hand.db'));
own.exec(
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS messages (key INTEGER PRIMARY KEY, data TEXT)',
);
const insert = own.prepare('INSERT INTO messages (data) VALUES (?)');

const routes: DeclaredRoute[] = [
  route({
    method: 'GET',
    path: '/list/:at/:sort',
    family: 'station',
    access: 'open',
    summary: 'The same rows',
    params: z.object({ at: z.string(), sort: z.string() }),
    answer: { type: 'application/json' },
    run: ({ params }) =>
      JSON.stringify(
        lists
          .get(`${params.at} ${params.sort}`)!
          .all()
          .map((row) => JSON.parse(String(row['data'])) as Task),
      ),
  }),
  route({
    method: 'POST',
    path: '/insert',
    family: 'station',
    access: 'open',
    summary: 'A row on the disk',
    body: z.object({ data: z.string() }),
    answer: z.object({ id: z.int() }),
    run: ({ body }) => ({ id: Number(insert.run(body.data).lastInsertRowid) }),
  }),
];
const http = await listen(
  createApp({ routes, authenticate: () => undefined, reportBug: (_id, error) => console.error(error) }),
  { host: '127.0.0.1', port: 0 },
);
console.log(`By hand at ${http.address}`);
