import { digestOf, type Store } from '../../store/index.ts';
import { REPLICATED } from './collections.ts';

/** Over all replicated records of the station: equal at two stations exactly when their records are. */
export function stationDigest(store: Store): string {
  return digestOf(REPLICATED.map((name) => [name, store.digest(name).sum]));
}
