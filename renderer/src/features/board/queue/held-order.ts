/** An order that stands still while somebody is choosing, and the number of things that wait to come in. */
interface HeldOrder {
  readonly shown: readonly number[];
  /** Ids that are not shown yet, in their order. */
  readonly waiting: readonly number[];
}

/**
 * What to show of `live`, the ids in their current order. While `holding`, rows keep the places that they had
 * in `held`: what came since waits, what went stays until the pointer or the keys rest.
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
