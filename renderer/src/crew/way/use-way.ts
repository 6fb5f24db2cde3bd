import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import type { Schema } from '../../lib/api/operations.ts';
import { requestStation } from '../../lib/api/request-station.ts';
import type { CrewStore } from '../crew-store.ts';
import type { PhonePositions } from '../phone-positions.ts';
import type { ShownTask } from '../queue/shown-state.ts';
import { progressOn } from './way-progress.ts';

export type Way = Schema<'CrewWay'>;

/** A way as this telephone keeps it for the time without coverage. */
interface KeptWay {
  readonly taskId: number;
  readonly at: number;
  /** null: no route by road. */
  readonly way: Way | null;
}

/** ms after which the way is asked for again, since closures come and go. */
const RENEW = 60_000;
/** ms between two questions after one that was not answered, or away from the way. */
const AGAIN = 15_000;
/** Metres from the way at which another one is asked for. */
const OFF = 60;

/** The way to the task, renewed while there is coverage. */
export function useWay(store: CrewStore, positions: PhonePositions, task: Ref<ShownTask | undefined>) {
  const kept = shallowRef<KeptWay>();
  /** Why there is no route. */
  const refused = shallowRef<{ readonly status: number; readonly code?: string | undefined }>();
  let askedAt = 0;
  const way = computed(() => (kept.value?.taskId === task.value?.id ? (kept.value?.way ?? undefined) : undefined));
  const place = computed(() => {
    const fix = positions.last.value;
    return fix && ([fix.lat, fix.lon] as const);
  });
  const progress = computed(() => way.value && progressOn(way.value, place.value));

  async function renew(): Promise<void> {
    const { value: wanted } = task;
    if (!wanted || wanted.lat === null || store.lostSince.value !== 0) return;
    const known = kept.value?.taskId === wanted.id ? kept.value : undefined;
    const isOff = (progress.value?.off ?? 0) > OFF;
    const wait = known && !isOff ? RENEW : askedAt === 0 || kept.value?.taskId !== wanted.id ? 0 : AGAIN;
    if (Date.now() - askedAt < wait) return;
    askedAt = Date.now();
    const from = place.value ? `&lat=${place.value[0]}&lon=${place.value[1]}` : '';
    const answer = await requestStation<Way | null>('GET', `/crew/way?taskId=${wanted.id}${from}`);
    if (answer.status !== 200) return void (refused.value = { status: answer.status, code: answer.reason?.code });
    refused.value = undefined;
    kept.value = { taskId: wanted.id, at: Date.now(), way: answer.value ?? null };
    store.remember('way', kept.value);
  }
  watch(
    () => task.value?.id,
    async (id) => {
      askedAt = 0;
      const stored = await store.recall<KeptWay>('way');
      if (stored?.taskId === id && kept.value?.taskId !== id) kept.value = stored;
      await renew();
    },
    { immediate: true },
  );
  const timer = setInterval(() => void renew(), 5_000);
  onScopeDispose(() => clearInterval(timer));
  return { kept, way, place, progress, refused };
}
