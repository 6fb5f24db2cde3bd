/**
 * The baseline of a first replication: the same rows by plain SQL over HTTP.
 * `serve FILE` answers with all rows as lines; `copy URL FILE` writes them, durably, 500 in a transaction.
 */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

const [mode, ...rest] = process.argv.slice(2) as [string, string, string];

if (mode === 'serve') {
  const sql = new DatabaseSync(rest[0], { readOnly: true });
  const tables = sql
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => {
      const columns = sql.prepare(`PRAGMA table_xinfo("${name}")`).all();
      return ['key', 'seq', 'data'].every((wanted) => columns.some((column) => column['name'] === wanted));
    });
  const server = createServer((_, response) => {
    void (async () => {
      for (const table of tables)
        for (const row of sql.prepare(`SELECT key, data FROM "${table}" ORDER BY seq`).iterate())
          if (!response.write(`${JSON.stringify([table, row['key'], row['data']])}\n`)) await once(response, 'drain');
      response.end();
    })();
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    console.log(`By hand at http://127.0.0.1:${port}/`);
  });
} else {
  const sql = new DatabaseSync(rest[1]);
  sql.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  sql.exec('CREATE TABLE rows (records TEXT, key TEXT, data TEXT, PRIMARY KEY (records, key)) WITHOUT ROWID');
  const insert = sql.prepare('INSERT INTO rows VALUES (?, ?, ?)');
  const began = performance.now();
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => get(rest[0], resolve));
  let rows = 0;
  sql.exec('BEGIN');
  for await (const line of createInterface({ input: response })) {
    insert.run(...(JSON.parse(line) as [string, string, string]));
    if (++rows % 500 === 0) sql.exec('COMMIT; BEGIN');
  }
  sql.exec('COMMIT');
  console.log(JSON.stringify({ rows, ms: performance.now() - began }));
}
