/** An order that is held while somebody chooses a row, and the number of rows that wait. */
interface HeldOrder {
  readonly shown: readonly number[];
  /** Ids that are not shown yet, in their order. */
  readonly waiting: readonly number[];
}

/**
 * Returns the ids to show. While `holding`, rows keep their places in `held`: new ones wait, and gone ones
 * stay.
 */
export function holdOrder(held: readonly number[], live: readonly number[], holding: boolean): HeldOrder {
  if (!holding || held === live) return { shown: live, waiting: [] };
  const known = knownOf(held);
  return { shown: held, waiting: live.filter((id) => !known.has(id)) };
}

/** An order is never changed, only replaced, and it is held through many changes of the live one. */
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();
function knownOf(held: readonly number[]): ReadonlySet<number> {
  let known = sets.get(held);
  if (!known) sets.set(held, (known = new Set(held)));
  return known;
}
