/** Counts messages on a connection of its own, so that the station's event loop goes on. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Actor } from '../../shared/access.ts';
import type { StateRule } from '../../shared/records/index.ts';
import { countPredicate, type CountFilter } from './filter.ts';
import { readStats, type Stats } from './stats-sql.ts';

/** Who asks for what: the worker makes the predicate itself, since one may hold code. */
export interface StatsQuestion {
  actor: Actor;
  filter: CountFilter;
  rules: readonly StateRule[];
}
export type StatsAnswer = { stats: Stats } | { failed: string };

const { file, table } = workerData as { file: string; table: string };
const sql = new DatabaseSync(file, { readOnly: true, timeout: 5000 });

function answer({ actor, filter, rules }: StatsQuestion): StatsAnswer {
  try {
    return { stats: readStats(sql, table, countPredicate(actor, filter, rules)) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

parentPort!.on('message', (question: StatsQuestion) => parentPort!.postMessage(answer(question)));
