import { defineStore, storeToRefs } from 'pinia';
import { onMounted, shallowRef, watch, type Ref } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import { useReturn } from '../../../lib/live/use-return.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';

/**
 * Names of the vehicle profiles of the territory, the default one first; empty until the station has
 * answered.
 */
export function useProfiles(): Ref<readonly string[]> {
  const store = useProfilesStore();
  onMounted(store.load);
  return storeToRefs(store).profiles;
}

/** The last answer serves every page, also one that is opened while the station is away. */
const useProfilesStore = defineStore('profiles', () => {
  const { client } = useSession();
  const live = useLive();
  const profiles = shallowRef<readonly string[]>([]);
  async function load(): Promise<void> {
    try {
      profiles.value = (await client.request('get', '/territory')).profiles ?? [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the last answer still holds
    }
  }
  watch(() => live.territoryVersion, load);
  useReturn(load);
  return { profiles, load };
});
