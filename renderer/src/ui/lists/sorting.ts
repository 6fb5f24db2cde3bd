/** Which column a table is ordered by. */
export interface Sorting<C extends string | number> {
  readonly by: C;
  readonly descending: boolean;
}

/** The order after a press on the head of a column: rising at first, falling when it is pressed once more. */
export function pressed<C extends string | number>(sorting: Sorting<C> | undefined, by: C): Sorting<C> {
  return { by, descending: sorting?.by === by && !sorting.descending };
}

/** Value of `aria-sort` for the head of a column. */
export function ariaSort<C extends string | number>(
  sorting: Sorting<C> | undefined,
  by: C,
): 'none' | 'ascending' | 'descending' {
  if (sorting?.by !== by) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
}
