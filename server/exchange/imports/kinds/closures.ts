import type { Closures, ClosureOrder } from '../../../geo/closures/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, longText, NAME_FIELD, SHAPE_FIELD } from './common-fields.ts';

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  NAME_FIELD,
  { name: 'reason', type: longText, heads: ['Reason', 'Причина', 'Description', 'Описание', 'desc', 'Notes'] },
  SHAPE_FIELD,
  { name: 'from', type: { kind: 'instant' }, heads: ['From', 'С', 'Start', 'Начало', 'starttime'] },
  { name: 'until', inRefusals: 'till', type: { kind: 'instant' }, heads: ['Until', 'До', 'End', 'Конец', 'endtime'] },
  {
    name: 'factor',
    type: { kind: 'number', least: 0, most: 1 },
    heads: ['Share of the usual speed', 'Доля обычной скорости', 'Factor', 'Коэффициент'],
  },
];

/** Closed and slowed roads. */
export function closureTarget(closures: Closures): ImportTarget {
  const find = (id: number) => {
    const closure = closures.find(id);
    return closure?.isDeleted === false ? closure : undefined;
  };
  return {
    kind: 'closures',
    fields: () => FIELDS,
    keys: ['name'],
    unique: [],
    names: () => [],
    ids: () => closures.list().map(({ id }) => id),
    sees: (_caller, id) => find(id) !== undefined,
    valuesOf(id): RowValues | undefined {
      const closure = find(id);
      if (!closure) return undefined;
      const { name, reason, geometry, from, until, factor } = closure;
      return { name, reason, geometry, from, until, factor };
    },
    check: (caller, id, values) => closures.check(caller, id, values as ClosureOrder),
    takeId: () => closures.takeId(),
    create: (caller, id, values) => closures.create(caller, values as ClosureOrder, id),
    change: (caller, id, values) => closures.change(caller, id, values as ClosureOrder),
    remove: (caller, id) => closures.delete(caller, id),
  };
}
