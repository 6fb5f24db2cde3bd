/** Which column a table is ordered by. */
export interface Sorting<C extends string> {
  readonly by: C;
  readonly descending: boolean;
}
