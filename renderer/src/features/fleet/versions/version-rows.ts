import { versionAt } from '../../../../../shared/fleet/versions.ts';

/** Rows of a record with versions: the current one, and below it the planned ones. */
export interface VersionRow<E, V> {
  /** The id of the entry for the current version; a text for a planned one. */
  readonly id: number | string;
  readonly entry: E;
  readonly version: V;
  /** Up to then this holds; undefined for the row of the entry itself. */
  readonly before: V | undefined;
}
interface VersionedRecord<V> {
  readonly id: number;
  readonly versions: readonly V[];
}

export const plannedId = (id: number, validFrom: number) => `${id}@${validFrom}`;

/** The rows of one entry at `now`. */
export function versionRows<V extends { readonly validFrom: number }, E extends VersionedRecord<V>>(
  entry: E & VersionedRecord<V>,
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
