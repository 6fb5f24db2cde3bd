/**
 * The fields of an order that were given: one that is undefined was not, and must not overwrite what stands;
 * null is a value.
 */
export function definedFields<T extends object>(order: T): { [F in keyof T]: Exclude<T[F], undefined> } {
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined)) as {
    [F in keyof T]: Exclude<T[F], undefined>;
  };
}
