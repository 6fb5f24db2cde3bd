import { computed } from 'vue';
import { versionAt } from '../../../shared/versions.ts';
import { useFleetRecords } from '../directories/records.ts';
import { useClock } from '../stores/clock.ts';

/** Gives the version of a geozone or planned route that is in force now, by this machine's clock; what is planned for later comes when its time is there. */
export function useVersionsNow() {
  const clock = useClock();
  const [zones, routes] = [useFleetRecords('geozone'), useFleetRecords('route')];
  const beginnings = computed(() => [...zones.current.value, ...routes.current.value].flatMap(({ versions }) => versions.map(({ validFrom }) => validFrom)));
  /** Of what was saved this second, the clock of the screen knows nothing yet. */
  const now = computed(() => clock.now + 1_000);
  /** When something came into force last: lists and maps are drawn anew then, and not with every second. */
  const turn = computed(() => beginnings.value.reduce((latest, validFrom) => (validFrom <= now.value ? Math.max(latest, validFrom) : latest), 0));
  return <V extends { readonly validFrom: number }>(entry: { readonly versions: readonly V[] }): V => versionAt(entry, turn.value);
}
