import { shallowRef, watch } from 'vue';
import { kindKeyOf } from '../../../../../shared/ids.ts';
import type { CustomField, Task } from '../../../../../shared/records/index.ts';
import { ApiError } from '../../../lib/api/client.ts';
import type { HistoryLine } from '../../../lib/api/types.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import type { FormKey } from './task-form.ts';
import { instantOf } from '../use-task-record.ts';

/** The author of a field's value, and the time, epoch ms. */
export interface FieldAuthor {
  readonly person: string;
  readonly at: number;
}

/** The names that the history has for fields of the form. */
const HISTORY_FIELDS: Readonly<Record<string, readonly string[]>> = {
  typeId: ['news_type_id'],
  categoryId: ['category_id'],
  assignedOrganizationId: ['assigned_organization_id'],
  assignedUserId: ['assigned_user_id'],
  assignedVehicleId: ['assigned_car_id'],
  date: ['news_date'],
  place: ['address', 'point'],
  confirmedComment: ['confirmed_comment'],
};

/**
 * Authors of the fields in conflict, from the history of the task. Asked only during a conflict; without an
 * answer no name is shown.
 */
export function useFieldAuthors(task: () => Task, conflicts: () => ReadonlySet<FormKey>) {
  const { client } = useSession();
  const { records } = useLive();
  const history = shallowRef<readonly HistoryLine[]>([]);

  watch(
    [() => [...conflicts()].join(), () => task().updatedAt],
    async ([keys]) => {
      if (!keys) return;
      try {
        history.value = (
          await client.request('get', '/news/{newsId}/history', { params: { path: { newsId: task().id } } })
        ).history;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        history.value = []; // an older one may name the wrong person
      }
    },
    { immediate: true },
  );

  function namesOf(key: FormKey): readonly string[] {
    const custom = /^custom:(\d+)$/.exec(key)?.[1];
    if (custom === undefined) return HISTORY_FIELDS[key] ?? [key];
    const field = records.directories.get(kindKeyOf('customField', Number(custom))) as unknown as
      CustomField | undefined;
    return [['custom_fields', field?.slug ?? custom].join('.')];
  }

  return (key: FormKey): FieldAuthor | undefined => {
    const names = namesOf(key);
    const line = history.value.findLast(({ field }) => names.includes(field));
    return line?.fio ? { person: line.fio, at: instantOf(line.date) } : undefined;
  };
}
