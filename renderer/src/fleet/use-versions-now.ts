import { computed } from 'vue';
import { latestStamp } from '../../../shared/merge.ts';
import type { Stamps } from '../../../shared/records/record.ts';
import { millisecondsOf } from '../../../shared/stamps.ts';
import { versionAt } from '../../../shared/versions.ts';
import { useFleetRecords } from '../directories/records.ts';
import { useClock } from '../stores/clock.ts';

/** Gives the version of a geozone or planned route that is in force now; what is planned for later comes when its time is there. */
export function useVersionsNow() {
  const clock = useClock();
  const [zones, routes] = [useFleetRecords('geozone'), useFleetRecords('route')];
  const beginnings = computed(() => [...zones.current.value, ...routes.current.value].flatMap(({ versions }) => versions.map(({ validFrom }) => validFrom)));
  /** When something came into force last: lists and maps are drawn anew then, and not with every second. */
  const turn = computed(() => beginnings.value.reduce((latest, validFrom) => (validFrom <= clock.now ? Math.max(latest, validFrom) : latest), 0));
  // The station's clock may be ahead of this machine's: what it has written as holding from then on is shown at once.
  return <V extends { readonly validFrom: number }>(entry: { readonly versions: readonly V[]; readonly hlc: Stamps }): V => versionAt(entry, Math.max(turn.value, millisecondsOf(latestStamp(entry.hlc))));
}
