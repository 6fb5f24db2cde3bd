/** An order that stands still while somebody is choosing, and the number of things that wait to come in. */
interface HeldOrder {
  readonly shown: readonly number[];
  /** Ids that are not shown yet. */
  readonly waiting: number;
}

/**
 * What to show of `live`, the ids in their current order. While `holding`, rows keep the places that they had in `held`: what came since
 * waits and is counted, what went stays until the pointer or the keys rest.
 */
export function holdOrder(held: readonly number[], live: readonly number[], holding: boolean): HeldOrder {
  if (!holding || held === live) return { shown: live, waiting: 0 };
  const known = knownOf(held);
  let waiting = 0;
  for (const id of live) if (!known.has(id)) waiting++;
  return { shown: held, waiting };
}

/** An order is never changed, only replaced, and it is held through many changes of the live one. */
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();
function knownOf(held: readonly number[]): ReadonlySet<number> {
  let known = sets.get(held);
  if (!known) sets.set(held, (known = new Set(held)));
  return known;
}
