/** Which of `count` things of one size, in pixels, are in sight of a view of `length` pixels that is scrolled to `from`, some to spare on either side. */
export function inSight(count: number, size: number, from: number, length: number, spare: number): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.min(count, Math.floor(from / size) - spare));
  return { first, end: Math.max(first, Math.min(count, Math.ceil((from + length) / size) + spare)) };
}

/** Where to scroll so that thing `index` is in sight, as little as is needed. */
export function scrolledTo(index: number, size: number, from: number, length: number): number {
  return Math.max(Math.min(from, index * size), (index + 1) * size - length);
}
