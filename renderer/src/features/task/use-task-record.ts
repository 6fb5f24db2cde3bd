import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { keyOf } from '../../../../shared/ids.ts';
import type { Task } from '../../../../shared/records/index.ts';
import type { ZonedTime } from '../../../../shared/zoned-time.ts';
import { ApiError } from '../../lib/api/client.ts';
import type { NewsDetail } from '../../lib/api/types.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useSession } from '../../lib/stores/session.ts';

/**
 * A task as it is now: from the replica at once; one outside the working set, as in the archive, from the
 * station. `asking` until it is known whether it exists.
 */
export function useTaskRecord(id: () => number) {
  const session = useSession();
  const { records } = useLive();
  const replicated = computed(() => (void records.tasks.version.value, records.tasks.get(keyOf(id()))));
  const asked = shallowRef<Task>();
  const asking = ref(false);
  let controller: AbortController | undefined;

  async function ask(): Promise<void> {
    controller?.abort();
    const { signal } = (controller = new AbortController());
    asking.value = true;
    try {
      const answer = await session.client.ask<{ news_data: NewsDetail }>(`/news/${id()}`, { signal });
      asked.value = taskOf(answer.news_data, session.stationTime);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      asked.value = undefined;
    }
    asking.value = false;
  }

  watch(
    [replicated, id] as const,
    ([record, now], before) => {
      if (now !== before?.[1]) asked.value = undefined;
      controller?.abort();
      asking.value = false;
      if (!record) void ask();
    },
    { immediate: true },
  );
  onScopeDispose(() => controller?.abort());

  /** `live`: it is in the replica, and so are its comments. */
  return {
    task: computed(() => replicated.value ?? asked.value),
    live: computed(() => replicated.value !== undefined),
    asking,
    refresh: () => (replicated.value ? Promise.resolve() : ask()),
  };
}

/** The answer of the interface as the record that it shows. Counts of attachments are not in it. */
function taskOf(detail: NewsDetail, stationTime: ZonedTime): Task {
  const id = (text: string | null) => Number(text ?? 0);
  const customValues = Object.fromEntries(
    Object.values(JSON.parse(detail.custom_fields) as Record<string, { field_id: number; value: unknown }>).map(
      ({ field_id, value }) => [field_id, value],
    ),
  );
  return {
    id: Number(detail.id),
    title: detail.title,
    text: detail.text,
    organizationId: id(detail.department_id),
    authorId: id(detail.user_id),
    typeId: id(detail.news_type_id),
    categoryId: id(detail.category_id),
    status: Number(detail.assigned_status),
    statusSince: instantOf(detail.assigned_change_date),
    confirmed: Number(detail.confirmed),
    confirmedComment: detail.confirmed_comment ?? '',
    assignedOrganizationId: id(detail.assigned_to),
    assignedUserId: id(detail.assigned_to_user),
    assignedVehicleId: id(detail.assigned_car_id),
    restricted: detail.restricted === 't',
    archived: detail.archive === 't',
    isDeleted: false,
    notice: Number(detail.notice),
    date: stationTime.instantOf(instantOf(`${detail.news_date}+00`)),
    updatedAt: instantOf(detail.update_date),
    systemData: detail.system_data,
    address: detail.address,
    point:
      detail.lon === null || detail.lat === null
        ? null
        : { lon: Number(detail.lon), lat: Number(detail.lat), zoom: Number(detail.zoom ?? 16) },
    mainPhoto: detail.num_main_photo === null ? null : Number(detail.num_main_photo),
    customValues,
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
  } as unknown as Task;
}

/** `YYYY-MM-DD HH:MM:SS+TZ`, as area A writes an instant. */
export function instantOf(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
