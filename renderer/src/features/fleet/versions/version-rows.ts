import { versionAt } from '../../../../../shared/fleet/versions.ts';

/**
 * What a directory shows of something that is edited over time: as it is now, and beneath it what is planned
 * for later.
 */
export interface VersionRow<E, V> {
  /** Of what is now the id of the entry; of what is planned, a text. */
  readonly id: number | string;
  readonly entry: E;
  readonly version: V;
  /** Up to then this holds; undefined for the row of the entry itself. */
  readonly before: V | undefined;
}
interface Entry<V> {
  readonly id: number;
  readonly versions: readonly V[];
}

export const plannedId = (id: number, validFrom: number) => `${id}@${validFrom}`;

/** The rows of one entry at `now`. */
export function versionRows<V extends { readonly validFrom: number }, E extends Entry<V>>(
  entry: E & Entry<V>,
  now: number,
): readonly VersionRow<E, V>[] {
  const present = versionAt<V>(entry, now);
  const at = entry.versions.indexOf(present);
  const planned = entry.versions.slice(at + 1).map((version, index): VersionRow<E, V> => ({
    id: plannedId(entry.id, version.validFrom),
    entry,
    version,
    before: entry.versions[at + index],
  }));
  return [{ id: entry.id, entry, version: present, before: undefined }, ...planned];
}
