import { computed, type ComputedRef } from 'vue';
import { versionAt } from '../../../../../shared/fleet/versions.ts';
import { useFleetRecords } from '../../../lib/replica/use-records.ts';
import { useClock } from '../../../lib/stores/clock.ts';

interface VersionedEntry<V> {
  readonly versions: readonly V[];
}
interface DatedVersion {
  readonly validFrom: number;
}

/**
 * The last time at which a version came into force, by this machine's clock, so that lists and maps redraw
 * then and not every second.
 */
export function useTurn(entries: () => readonly VersionedEntry<DatedVersion>[]): ComputedRef<number> {
  const clock = useClock();
  const beginnings = computed(() => entries().flatMap(({ versions }) => versions.map(({ validFrom }) => validFrom)));
  /** The display clock may be up to a second behind a save. */
  const now = computed(() => clock.now + 1_000);
  return computed(() =>
    beginnings.value.reduce((latest, validFrom) => (validFrom <= now.value ? Math.max(latest, validFrom) : latest), 0),
  );
}

/** Returns the current version of a geozone or planned route; a planned one takes over at its time. */
export function useVersionsNow() {
  const [zones, routes] = [useFleetRecords('geozone'), useFleetRecords('route')];
  const turn = useTurn(() => [...zones.current.value, ...routes.current.value]);
  return <V extends DatedVersion>(entry: VersionedEntry<V>): V => versionAt(entry, turn.value);
}
