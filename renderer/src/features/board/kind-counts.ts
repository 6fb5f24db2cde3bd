/** The facts of a vehicle that the units line needs. */
export interface CountedUnit {
  readonly kindId: number;
  /** It could be sent now. */
  readonly isFree: boolean;
  readonly inService: boolean;
}

export interface KindCount {
  readonly kindId: number;
  readonly free: number;
  readonly all: number;
  /** Nobody of the kind could be sent now. */
  readonly isShort: boolean;
}

/**
 * Free and all vehicles of each kind, the short kinds first, then the larger ones. Vehicles on maintenance count as
 * none; vehicles without a kind have no line.
 */
export function kindCounts(units: readonly CountedUnit[]): readonly KindCount[] {
  const counts = new Map<number, { free: number; all: number }>();
  for (const { kindId, isFree, inService } of units) {
    if (kindId === 0 || !inService) continue;
    const count = counts.get(kindId) ?? { free: 0, all: 0 };
    counts.set(kindId, count);
    count.all++;
    if (isFree) count.free++;
  }
  return [...counts]
    .map(([kindId, { free, all }]) => ({ kindId, free, all, isShort: free === 0 }))
    .sort(
      (one, other) => Number(other.isShort) - Number(one.isShort) || other.all - one.all || one.kindId - other.kindId,
    );
}
