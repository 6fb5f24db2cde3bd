/**
 * An entry with versions, such as `Geozone`, `PlannedRoute` and `Sensor`. Versions are sorted by time; the
 * last ones may be planned.
 */
interface Versioned<V extends { readonly validFrom: number }> {
  readonly versions: readonly V[];
  readonly deletedAt: number | null;
}

/**
 * All versions, each with the end of its validity (null: still valid). Omits versions that were never valid.
 */
export function versionsOf<V extends { readonly validFrom: number }>({
  versions,
  deletedAt,
}: Versioned<V>): (V & { readonly validUntil: number | null })[] {
  const end = deletedAt ?? Infinity;
  const spans = versions.map((version, index) => ({
    ...version,
    validUntil: Math.min(versions[index + 1]?.validFrom ?? Infinity, end),
  }));
  return spans
    .filter(({ validFrom, validUntil }) => validUntil > validFrom)
    .map((span) => ({ ...span, validUntil: span.validUntil === Infinity ? null : span.validUntil }));
}

/** The version at `time`, also of a deleted entry; before the first one, the first one. */
export function versionAt<V extends { readonly validFrom: number }>(
  { versions }: Pick<Versioned<V>, 'versions'>,
  time: number,
): V {
  return versions.findLast(({ validFrom }) => validFrom <= time) ?? versions[0]!;
}

/**
 * The versions with one more at the end, or the same array when `next` equals the last one. An edit is valid
 * from `now` or the given time, never before the version that it replaces.
 */
export function edited<V extends { readonly validFrom: number }>(versions: readonly V[], next: V): readonly V[] {
  const last = versions.at(-1);
  if (last === undefined) return [next];
  if (sameContent(last, next)) return versions;
  return [...versions, { ...next, validFrom: Math.max(next.validFrom, last.validFrom + 1) }];
}

/**
 * Inserts `next`, valid from its `validFrom`. Later versions stay planned: they keep the fields that they
 * were to change and take the others from `next`. A version that then changes nothing is removed.
 */
export function revised<V extends { readonly validFrom: number }>(versions: readonly V[], next: V): readonly V[] {
  const result = versions.filter(({ validFrom }) => validFrom < next.validFrom);
  const add = (version: V) => {
    const last = result.at(-1);
    if (!last || !sameContent(last, version)) result.push(version);
  };
  let [before, after] = [versionAt({ versions }, next.validFrom), next];
  add(next);
  for (const planned of versions.filter(({ validFrom }) => validFrom > next.validFrom)) {
    const rest = Object.fromEntries(
      Object.entries(planned).map(([field, value]) => [
        field,
        same(value, before[field as keyof V]) ? after[field as keyof V] : value,
      ]),
    );
    [before, after] = [planned, { ...rest, validFrom: planned.validFrom } as V];
    add(after);
  }
  return result;
}

function sameContent<V extends { readonly validFrom: number }>(one: V, other: V): boolean {
  return same({ ...one, validFrom: 0 }, { ...other, validFrom: 0 });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
