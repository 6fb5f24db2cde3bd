/**
 * The fields of an order that are defined. Undefined fields must not overwrite stored ones; null is a value.
 */
export function definedFields<T extends object>(order: T): { [F in keyof T]: Exclude<T[F], undefined> } {
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined)) as {
    [F in keyof T]: Exclude<T[F], undefined>;
  };
}
