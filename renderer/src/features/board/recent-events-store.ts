import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import type { EventItem } from '../../lib/api/types.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useSession } from '../../lib/stores/session.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Recent events of the vehicles: read from the station whenever the set of followed vehicles changes, and
 * live from then on.
 */
export const useEvents = defineStore('events', () => {
  const { client } = useSession();
  const live = useLive();
  const list = shallowRef<readonly EventItem[]>([]);
  /** The last day was read. */
  const loaded = ref(false);
  live.events.watch(() => (list.value = live.events.list));

  /** Important events have a query of their own, so that a day of stops does not push them out. */
  async function latest(): Promise<EventItem[]> {
    const types = await client.request('get', '/events/types');
    const asked = [true, false].map((notifiable) => {
      const ids = types.filter((type) => type.notifiable === notifiable).map((type) => type.id);
      return client.request('get', '/events', {
        params: { query: { types: ids.join(','), from: Date.now() - DAY_MS, limit: 150 } },
      });
    });
    return (await Promise.all(asked)).flat();
  }

  async function read(): Promise<void> {
    try {
      await live.events.readAnew(latest);
      loaded.value = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the connection light shows a lost connection
    }
  }

  // The station sends events of the vehicles that it follows; earlier ones are requested.
  watch(
    () => live.positionsIn,
    (follows) => {
      if (follows) void read();
    },
    { immediate: true },
  );

  return { list, loaded };
});
