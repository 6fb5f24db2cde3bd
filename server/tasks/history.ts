import type { HistoryEntry, Message } from '../../shared/records/index.ts';
import type { Draft } from '../store/door.ts';
import { changedFields } from './update.ts';

/** One entry for each field that a change touched. `note` says which rule did it when no person did. */
export function historyOf(before: Message, after: Message, by: { userId: number; station: number; at: number; note?: string }, nextId: () => number): Draft<HistoryEntry>[] {
  return changedFields(before, after).map((field) => ({
    id: nextId(),
    messageId: after.id,
    at: by.at,
    userId: by.userId,
    station: by.station,
    field,
    from: before[field] ?? null,
    to: after[field] ?? null,
    note: by.note ?? '',
  }));
}

/** The interface's name of a field that a history tells of. */
export function interfaceName(field: string): string {
  return INTERFACE_NAMES[field] ?? field;
}

const INTERFACE_NAMES: Readonly<Record<string, string>> = {
  typeId: 'news_type_id',
  categoryId: 'category_id',
  status: 'assigned_status',
  assignedDepartmentId: 'assigned_organization_id',
  assignedUserId: 'assigned_user_id',
  assignedVehicleId: 'assigned_car_id',
  confirmedComment: 'confirmed_comment',
  archived: 'archive',
  withdrawn: 'deleted',
  systemData: 'system_data',
  date: 'news_date',
  mainPhoto: 'num_main_photo',
  customValues: 'custom_fields',
};
