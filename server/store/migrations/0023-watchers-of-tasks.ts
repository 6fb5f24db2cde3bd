import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/** Tasks know from version 4 on who watches them. Older records lack that: nobody does. */
export const watchersOfTasks: Migration = {
  name: 'watchers of tasks',
  up(sql) {
    if (hasTable(sql, 'station.tasks.3')) sql.exec('ALTER TABLE "station.tasks.3" RENAME TO "station.tasks.4"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.tasks.3', 'station.tasks.4')`);
    forgetSchemas(sql);
  },
};
