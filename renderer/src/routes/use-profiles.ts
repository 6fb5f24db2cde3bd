import { onMounted, shallowRef, watch } from 'vue';
import { ApiError } from '../api/client.ts';
import type { TerritoryAnswer } from '../api/types.ts';
import { useReturn } from '../live/use-return.ts';
import { useLive } from '../stores/live.ts';
import { useSession } from '../stores/session.ts';

/** Names of the vehicle profiles that the territory was made for, the usual one first; empty before the station has told. */
export function useProfiles() {
  const { client } = useSession();
  const live = useLive();
  const profiles = shallowRef<readonly string[]>([]);
  async function load(): Promise<void> {
    try {
      profiles.value = (await client.ask<TerritoryAnswer>('/territory')).profiles ?? [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // what was told last still holds
    }
  }
  onMounted(load);
  watch(() => live.territoryVersion, load);
  useReturn(load);
  return profiles;
}
