import { millisecondsOf, stationOf } from '../../../../shared/merge/stamps.ts';
import type { HistoryEntry, MergeRecord, Task } from '../../../../shared/records/index.ts';
import type { Draft } from '../../../store/types.ts';
import { changedFields, crewsOf } from './update.ts';

/**
 * One entry for each changed field, including each custom field. `note` names the rule that made the change
 * when no person did.
 */
export function historyOf(
  before: Task,
  after: Task,
  by: { userId: number; station: number; at: number; note?: string },
  nextId: () => number,
): Draft<HistoryEntry>[] {
  return fieldChanges(before, after).map((change) => ({
    id: nextId(),
    taskId: after.id,
    at: by.at,
    userId: by.userId,
    station: by.station,
    ...change,
    note: by.note ?? '',
  }));
}

type FieldChange = Pick<HistoryEntry, 'field' | 'from' | 'to'>;

/**
 * The differences, field by field. A custom field is named by the id of its definition (`customValues.7`);
 * its value is null when it has none.
 */
export function fieldChanges(before: Task, after: Task): FieldChange[] {
  return changedFields(before, after).flatMap((field) => {
    if (field === 'customValues') return changedValues(before.customValues, after.customValues);
    if (field === 'units') return [{ field, from: crewsOf(before), to: crewsOf(after) }];
    return [{ field, from: before[field] ?? null, to: after[field] ?? null }];
  });
}

function changedValues(before: Task['customValues'], after: Task['customValues']): FieldChange[] {
  const ids = Object.keys({ ...before, ...after });
  const changed = ids.filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return changed.map((id) => ({ field: `${CUSTOM}.${id}`, from: before[id] ?? null, to: after[id] ?? null }));
}

/** Entries in today's form: the first versions stored all custom fields of a change in one entry. */
export function oneByOne<E extends FieldChange>(entry: E): E[] {
  if (entry.field !== CUSTOM) return [entry];
  return changedValues(valuesOf(entry.from), valuesOf(entry.to)).map((change) => ({ ...entry, ...change }));
}

/** The entry of an edit that was overwritten by a later one whose author did not know of it. */
export function lostEditOf({ id, key, hlc, taskId, field, kept, lost }: MergeRecord): HistoryEntry {
  return {
    id,
    key,
    hlc,
    taskId: taskId,
    at: millisecondsOf(kept.stamp),
    userId: 0,
    station: stationOf(kept.stamp),
    field: field === '' ? 'isDeleted' : field,
    from: lost.value,
    to: kept.value,
    note: `An edit of station ${stationOf(lost.stamp)} lost against a later one.`,
  };
}

function valuesOf(value: unknown): Task['customValues'] {
  return typeof value === 'object' && value !== null ? (value as Task['customValues']) : {};
}

const CUSTOM = 'customValues';
const CUSTOM_FIELD = /^customValues\.(?<id>\d+)$/;

/**
 * The interface's name of a field in the history; of a custom field `custom_fields.` and its slug.
 * @param slugOf the slug of a custom field, including deleted ones
 */
export function interfaceName(field: string, slugOf: (id: number) => string | undefined): string {
  const id = CUSTOM_FIELD.exec(field)?.groups?.['id'];
  return id === undefined ? (INTERFACE_NAMES[field] ?? field) : `custom_fields.${slugOf(Number(id)) ?? id}`;
}

const INTERFACE_NAMES: Readonly<Record<string, string>> = {
  typeId: 'news_type_id',
  categoryId: 'category_id',
  status: 'assigned_status',
  assignedOrganizationId: 'assigned_organization_id',
  assignedUserId: 'assigned_user_id',
  assignedVehicleId: 'assigned_car_id',
  confirmedComment: 'confirmed_comment',
  archived: 'archive',
  isDeleted: 'deleted',
  systemData: 'system_data',
  date: 'news_date',
  mainPhoto: 'num_main_photo',
};
