/** Ids of different stations never clash: station `n` assigns `n × ID_SPACE + k`. */
export const ID_SPACE = 10_000_000;

/** Most stations whose ids fit into signed 32 bits. */
export const LAST_STATION = 213;

/** The primary key of a record: its decimal id, padded to 10 digits so that keys sort as ids do. */
export function keyOf(id: number): string {
  return String(id).padStart(10, '0');
}

/** The primary key in a collection of several kinds: each kind counts its own ids. */
export function kindKeyOf(kind: string, id: number): string {
  return `${kind}:${keyOf(id)}`;
}

/** The id of a new record whose order is only checked. No record has it. */
export const UNTAKEN_ID = Number.MAX_SAFE_INTEGER;
