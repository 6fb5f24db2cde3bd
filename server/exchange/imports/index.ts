import type { Accounts } from '../../access/accounts/index.ts';
import type { Closures } from '../../geo/closures/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { closureTarget } from './kinds/closures.ts';
import { driverTarget } from './kinds/drivers.ts';
import { geozoneTarget } from './kinds/geozones.ts';
import { organizationTarget } from './kinds/organizations.ts';
import { routeTarget } from './kinds/routes.ts';
import { taskTarget } from './kinds/tasks.ts';
import { userTarget } from './kinds/users.ts';
import { vehicleTarget } from './kinds/vehicles.ts';
import type { ImportTarget } from './target.ts';

export { IMPORT_KINDS, type CellFault, type FateKind, type ImportField, type ImportKind } from './fields.ts';
export { Imports } from './imports.ts';
export type { ImportEntry } from './journal.ts';
export type { ImportPreview, PreviewRow } from './preview.ts';

interface ImportedRooms {
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  readonly accounts: Accounts;
  readonly closures: Closures;
  now(): number;
}

export function importTargets({ fleet, tasks, accounts, closures, now }: ImportedRooms): ImportTarget[] {
  return [
    vehicleTarget(fleet, accounts),
    driverTarget(fleet, accounts),
    taskTarget(tasks, accounts),
    geozoneTarget(fleet, accounts, now),
    routeTarget(fleet, accounts, now),
    closureTarget(closures),
    organizationTarget(accounts),
    userTarget(accounts),
  ];
}
