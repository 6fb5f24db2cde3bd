import type { Accounts } from '../accounts/index.ts';
import type { Fleet } from '../fleet/index.ts';
import type { Tasks } from '../tasks/index.ts';
import { driverTarget } from './kinds/drivers.ts';
import { taskTarget } from './kinds/tasks.ts';
import { vehicleTarget } from './kinds/vehicles.ts';
import type { ImportTarget } from './target.ts';

export { IMPORT_KINDS, type CellFault, type FateKind, type ImportField, type ImportKind } from './fields.ts';
export { Imports } from './imports.ts';
export type { ImportEntry } from './journal.ts';
export type { ImportPreview, PreviewRow } from './preview.ts';

export function importTargets(rooms: {
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  readonly accounts: Accounts;
}): ImportTarget[] {
  const { fleet, tasks, accounts } = rooms;
  return [vehicleTarget(fleet, accounts), driverTarget(fleet, accounts), taskTarget(tasks, accounts)];
}
