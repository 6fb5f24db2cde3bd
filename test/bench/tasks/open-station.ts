import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { PROGRAM } from '../../support/program.ts';

/** Makes every task a current one. */
export function openAll(directory: string): void {
  update(
    directory,
    `json_set(data, '$.status', 1 + (json_extract(data, '$.id') % 3), '$.archived', json('false'), '$.isDeleted', json('false'))`,
  );
}

/** Moves the tasks, which lie within a tenth of a degree, to a town whose corner this is. */
export function moveInto(directory: string, { lat, lon }: { readonly lat: number; readonly lon: number }): void {
  update(
    directory,
    `json_set(data, '$.point.lon', ${lon} + json_extract(data, '$.point.lon') - 9.5, '$.point.lat', ${lat} + (json_extract(data, '$.point.lat') - 47.1) / 2)`,
    `json_extract(data, '$.point.lon') IS NOT NULL`,
  );
}

/** Past the station, which does not run yet. */
function update(directory: string, data: string, where = 'true'): void {
  const sql = new DatabaseSync(join(directory, 'station.db'));
  const table = sql
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%.tasks.%' AND sql LIKE '%data%'`)
    .all()
    .map(({ name }) => String(name))[0]!;
  sql.exec(`UPDATE "${table}" SET data = ${data} WHERE ${where}`);
  sql.close();
}

/** As it is shipped, in a process of its own; `home` is the checkout whose build runs. */
export async function startOn(
  directory: string,
  home = new URL('../../..', import.meta.url).pathname,
): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--data', directory, '--port', '0'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (bytes) => {
      const found = /listening on (http:\/\/\S+)/.exec((out += String(bytes)))?.[1];
      if (found) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`The station ended with ${code}.`)));
  });
  return { child, address };
}
