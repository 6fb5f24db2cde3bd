/** A table looked up with untrusted words: `constructor` finds nothing in it. */
export function table<T>(rows: Readonly<Record<string, T>>): Readonly<Partial<Record<string, T>>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows));
}
