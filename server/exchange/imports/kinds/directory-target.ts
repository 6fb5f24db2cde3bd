import { definedFields } from '../../../../shared/defined-fields.ts';
import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import type { FleetDirectory } from '../../../dispatch/fleet/index.ts';
import type { ImportField, ImportKind, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { idsOf, organizationNames } from './names.ts';

interface DirectoryTargetOptions<T extends { id: number; isDeleted: boolean }, Order> {
  readonly kind: ImportKind;
  readonly fields: readonly ImportField[];
  readonly keys: readonly string[];
  readonly unique: readonly string[];
  readonly directory: FleetDirectory<T, Order>;
  readonly accounts: Accounts;
  valuesOf(entry: T): RowValues;
  /** @param stored what the record has now; of a new one, nothing */
  orderOf(values: RowValues, stored: RowValues): Order;
}

/** Records of a directory of the fleet. */
export function directoryTarget<T extends { id: number; isDeleted: boolean }, Order>(
  options: DirectoryTargetOptions<T, Order>,
): ImportTarget {
  const { kind, fields, keys, unique, directory, accounts } = options;
  const valuesOf = (id: number) => {
    const entry = directory.mirror.get(id);
    return entry && !entry.isDeleted ? options.valuesOf(entry) : undefined;
  };
  const orderOf = (values: RowValues, id?: number) =>
    options.orderOf(definedFields(values) as RowValues, (id === undefined ? undefined : valuesOf(id)) ?? {});
  return {
    kind,
    fields: () => fields,
    keys,
    unique,
    names: (caller: Caller, of: string) => (of === 'organization' ? organizationNames(accounts, caller) : []),
    ids: (caller) => idsOf(directory.eachSeen(caller)),
    sees: (caller, id) => directory.shows(caller, id),
    valuesOf,
    check: (caller, id, values) => directory.check(caller, id, orderOf(values, id)),
    takeId: () => directory.takeId(),
    create: (caller, id, values) => directory.create(caller, orderOf(values), id),
    change: (caller, id, values) => directory.change(caller, id, orderOf(values, id)),
    remove: (caller, id) => directory.delete(caller, id),
  };
}
