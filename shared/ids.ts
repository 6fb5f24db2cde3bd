/** Ids made at one station never clash with those of another: station `n` makes `n × ID_SPACE + k`. */
export const ID_SPACE = 10_000_000;

/** Stations that fit into signed 32-bit ids. */
export const LAST_STATION = 213;

/**
 * The primary key of a record: its decimal id, padded, so that keys sort as ids do. Ids fit into 10 digits.
 */
export function keyOf(id: number): string {
  return String(id).padStart(10, '0');
}

/** The primary key in a collection that holds several kinds: each kind counts its own ids. */
export function kindKeyOf(kind: string, id: number): string {
  return `${kind}:${keyOf(id)}`;
}
