/**
 * Loaded before all else in each thread: kills a process before the statement of this number for the historian, and
 * counts the statements in the file of `DYING_COUNT`.
 */
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const { DYING_PID: pid, DYING_QUERY: at, DYING_COUNT: count } = process.env;
let left = Number(at);
// oxlint-disable-next-line typescript/unbound-method -- it is called on each client below
const query = pg.Client.prototype.query as (...words: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
  if (count) appendFileSync(count, '.');
  if (--left === 0) process.kill(pid === 'own' ? process.pid : Number(pid), 'SIGKILL');
  return query.apply(this, words);
} as typeof pg.Client.prototype.query;
