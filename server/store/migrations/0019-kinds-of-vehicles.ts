import type { Migration } from './index.ts';
import { forgetSchemas, hasTable } from './rename-records.ts';

/** Vehicles have a kind and capabilities from version 1 on. Older records lack both. */
export const kindsOfVehicles: Migration = {
  name: 'kinds of vehicles',
  up(sql) {
    if (hasTable(sql, 'station.vehicles.0'))
      sql.exec('ALTER TABLE "station.vehicles.0" RENAME TO "station.vehicles.1"');
    for (const table of ['purges', 'purged_records'])
      sql.exec(`UPDATE ${table} SET records = replace(records, 'station.vehicles.0', 'station.vehicles.1')`);
    forgetSchemas(sql);
  },
};
