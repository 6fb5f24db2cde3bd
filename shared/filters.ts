/**
 * Whether an id is one of those that are asked for; where none are, each is. Thousands may be asked for, of
 * thousands that there are.
 */
export function among(ids: readonly number[] | undefined): (id: number) => boolean {
  const asked = ids && new Set(ids);
  return (id) => asked?.has(id) ?? true;
}

/**
 * Whether a text has the part that is asked for, whatever the case of its letters; where none is, each has.
 */
export function contains(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
