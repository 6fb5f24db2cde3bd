/** Whether an id is among the requested ones; without any, every id passes. Fast for thousands of both. */
export function among(ids: readonly number[] | undefined): (id: number) => boolean {
  const asked = ids && new Set(ids);
  return (id) => asked?.has(id) ?? true;
}

/** Whether a text contains the requested part, without regard to case; without one, every text passes. */
export function containsText(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
