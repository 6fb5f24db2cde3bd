import { onMounted, shallowRef, watch } from 'vue';
import { ApiError } from '../api/client.ts';
import { useLive } from '../stores/live.ts';
import { useSession } from '../stores/session.ts';

/** Names of the vehicle profiles that the territory was made for, the usual one first; empty where the station does not tell. */
export function useProfiles() {
  const { client } = useSession();
  const live = useLive();
  const profiles = shallowRef<readonly string[]>([]);
  async function load(): Promise<void> {
    try {
      const { profiles: told } = await client.ask<{ readonly profiles?: readonly (string | { readonly name: string })[] }>('/territory');
      profiles.value = (told ?? []).map((one) => (typeof one === 'string' ? one : one.name));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      profiles.value = [];
    }
  }
  onMounted(load);
  watch(() => live.territoryVersion, load);
  return profiles;
}
