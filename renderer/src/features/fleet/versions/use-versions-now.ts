import { computed, type ComputedRef } from 'vue';
import { versionAt } from '../../../../../shared/fleet/versions.ts';
import { useFleetRecords } from '../../../lib/replica/use-records.ts';
import { useClock } from '../../../lib/stores/clock.ts';

interface Entry<V> {
  readonly versions: readonly V[];
}
interface Begun {
  readonly validFrom: number;
}

/**
 * When one of these came into force last, by this machine's clock: lists and maps are drawn anew then, and
 * not with every second.
 */
export function useTurn(entries: () => readonly Entry<Begun>[]): ComputedRef<number> {
  const clock = useClock();
  const beginnings = computed(() => entries().flatMap(({ versions }) => versions.map(({ validFrom }) => validFrom)));
  /** Of what was saved this second, the clock of the screen knows nothing yet. */
  const now = computed(() => clock.now + 1_000);
  return computed(() =>
    beginnings.value.reduce((latest, validFrom) => (validFrom <= now.value ? Math.max(latest, validFrom) : latest), 0),
  );
}

/**
 * Gives the version of a geozone or planned route that is in force now; what is planned for later comes when
 * its time is there.
 */
export function useVersionsNow() {
  const [zones, routes] = [useFleetRecords('geozone'), useFleetRecords('route')];
  const turn = useTurn(() => [...zones.current.value, ...routes.current.value]);
  return <V extends Begun>(entry: Entry<V>): V => versionAt(entry, turn.value);
}
