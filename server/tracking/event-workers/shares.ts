/** The partitions that each worker would take, by its id. */
export type Shares = ReadonlyMap<string, readonly number[]>;

export interface ShareChange {
  readonly claim: readonly number[];
  readonly release: readonly number[];
}

/**
 * The partitions that a worker gives back, or tries to take, so that the workers have equal shares. A partition that
 * others could take, too, counts in part. It is a wish: leases decide.
 * @param owner the worker that holds a partition now
 */
export function shareChange(
  id: string,
  workers: Shares,
  owner: (partition: number) => string | undefined,
): ShareChange {
  const mine = workers.get(id) ?? [];
  const others = (partition: number) => [...workers.values()].filter((theirs) => theirs.includes(partition)).length;
  const quota = Math.ceil(mine.reduce((sum, partition) => sum + 1 / Math.max(1, others(partition)), 0) - 1e-9);
  const held = mine.filter((partition) => owner(partition) === id);
  // Those that nobody else could take are kept.
  const released = held.filter((partition) => others(partition) > 1).slice(0, Math.max(0, held.length - quota));
  const free = mine.filter((partition) => owner(partition) === undefined);
  return { claim: free.slice(0, Math.max(0, quota - held.length)), release: released };
}
