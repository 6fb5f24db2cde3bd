import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/** Tasks have the caller's answers from version 2 on. Older records lack them, which the rules of tasks allow. */
export const answersOfTasks: Migration = {
  name: 'answers of tasks',
  up(sql) {
    if (hasTable(sql, 'station.tasks.1')) sql.exec('ALTER TABLE "station.tasks.1" RENAME TO "station.tasks.2"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.tasks.1', 'station.tasks.2')`);
    forgetSchemas(sql);
  },
};
