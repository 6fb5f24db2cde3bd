import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/** From version 4 on tasks have their watchers. Older records have none. */
export const watchersOfTasks: Migration = {
  name: 'watchers of tasks',
  up(sql) {
    if (hasTable(sql, 'station.tasks.3')) sql.exec('ALTER TABLE "station.tasks.3" RENAME TO "station.tasks.4"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.tasks.3', 'station.tasks.4')`);
    forgetSchemas(sql);
  },
};
