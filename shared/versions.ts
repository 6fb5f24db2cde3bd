/** Something that is edited over time, as `Geozone`, `PlannedRoute` and `Sensor` are. */
interface Versioned<V extends { readonly validFrom: number }> {
  readonly versions: readonly V[];
  readonly withdrawnAt: number | null;
}

/** All versions, each with the time up to which it held (null: it still does); those that never held are left out. */
export function versionsOf<V extends { readonly validFrom: number }>({ versions, withdrawnAt }: Versioned<V>): (V & { readonly validTill: number | null })[] {
  return versions.map((version, index) => ({ ...version, validTill: versions[index + 1]?.validFrom ?? withdrawnAt })).filter(({ validFrom, validTill }) => validTill === null || validTill > validFrom);
}

/** The version as it is now, also of what is withdrawn. */
export function currentVersion<V extends { readonly validFrom: number }>({ versions }: Pick<Versioned<V>, 'versions'>): V {
  return versions.at(-1)!;
}

/**
 * The versions with one more, or the same array when `next` says what the last one says. An edit holds from `now` on, or from the time that it names; it never
 * comes before the version that it replaces.
 */
export function edited<V extends { readonly validFrom: number }>(versions: readonly V[], next: V): readonly V[] {
  const last = versions.at(-1);
  if (last === undefined) return [next];
  if (JSON.stringify({ ...last, validFrom: 0 }) === JSON.stringify({ ...next, validFrom: 0 })) return versions;
  return [...versions, { ...next, validFrom: Math.max(next.validFrom, last.validFrom + 1) }];
}
