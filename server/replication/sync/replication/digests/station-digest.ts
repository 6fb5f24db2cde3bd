import { digestOf, type CollectionName, type Store } from '../../../../store/index.ts';
import { REPLICATED } from '../collections.ts';

/** Sums of all replicated collections; undefined while they are counted. */
export function stationSums(store: Store): [CollectionName, string][] | undefined {
  const sums = REPLICATED.map((name): [CollectionName, string | undefined] => [name, store.digest(name)?.sum]);
  return sums.some(([, sum]) => sum === undefined) ? undefined : (sums as [CollectionName, string][]);
}

/**
 * Over all replicated records of the station: equal at two stations exactly when their records are. Empty while
 * they are counted.
 */
export function stationDigest(store: Store): string {
  const sums = stationSums(store);
  return sums ? digestOf(sums) : '';
}
