/**
 * Which of `count` items of one size in pixels are visible in a view of `length` pixels that is scrolled to
 * `from`, plus a few on each side.
 */
export function inSight(
  count: number,
  size: number,
  from: number,
  length: number,
  spare: number,
): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.min(count, Math.floor(from / size) - spare));
  return { first, end: Math.max(first, Math.min(count, Math.ceil((from + length) / size) + spare)) };
}

/**
 * The items to render of `count`: the visible ones and the `kept` one; each with the number skipped before
 * it, and the number skipped after all.
 */
export function drawnOf(
  count: number,
  { first, end }: { readonly first: number; readonly end: number },
  kept: number,
): { readonly things: readonly { readonly index: number; readonly before: number }[]; readonly after: number } {
  const indexes = Array.from({ length: end - first }, (_, place) => first + place);
  if (kept >= 0 && kept < first) indexes.unshift(kept);
  if (kept >= end && kept < count) indexes.push(kept);
  return {
    things: indexes.map((index, place) => ({ index, before: index - (indexes[place - 1] ?? -1) - 1 })),
    after: count - 1 - (indexes.at(-1) ?? -1),
  };
}

/** Where to scroll so that thing `index` is in sight, as little as is needed. */
export function scrolledTo(index: number, size: number, from: number, length: number): number {
  return Math.max(Math.min(from, index * size), (index + 1) * size - length);
}
