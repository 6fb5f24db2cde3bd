import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/**
 * From version 3 on tasks name the task they were merged into. Older records lack it, which the rules of
 * tasks allow.
 */
export const mergedTasks: Migration = {
  name: 'merged tasks',
  up(sql) {
    if (hasTable(sql, 'station.tasks.2')) sql.exec('ALTER TABLE "station.tasks.2" RENAME TO "station.tasks.3"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.tasks.2', 'station.tasks.3')`);
    forgetSchemas(sql);
  },
};
