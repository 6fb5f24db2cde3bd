import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/** Tasks have units and a priority from version 1 on. Older records lack both, which the rules of tasks allow. */
export const addUnitsOfTasks: Migration = {
  name: 'units of tasks',
  up(sql) {
    if (hasTable(sql, 'station.tasks.0')) sql.exec('ALTER TABLE "station.tasks.0" RENAME TO "station.tasks.1"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.tasks.0', 'station.tasks.1')`);
    forgetSchemas(sql);
  },
};
