import { defineStore, storeToRefs } from 'pinia';
import { onMounted, shallowRef, watch, type Ref } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import { useReturn } from '../../../lib/live/use-return.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';

/**
 * Names of the vehicle profiles that the territory was made for, the usual one first; empty before the
 * station has told.
 */
export function useProfiles(): Ref<readonly string[]> {
  const told = useToldProfiles();
  onMounted(told.load);
  return storeToRefs(told).profiles;
}

/** What was told last holds for every page, also for one that is opened while the station is away. */
const useToldProfiles = defineStore('profiles', () => {
  const { client } = useSession();
  const live = useLive();
  const profiles = shallowRef<readonly string[]>([]);
  async function load(): Promise<void> {
    try {
      profiles.value = (await client.request('get', '/territory')).profiles ?? [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // what was told last still holds
    }
  }
  watch(() => live.territoryVersion, load);
  useReturn(load);
  return { profiles, load };
});
