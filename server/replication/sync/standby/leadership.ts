import { reason } from '../../../../shared/refusals/reason.ts';
import type { Store } from '../../../store/types.ts';
import { Emitter } from '../../../platform/emitter.ts';
import type { LinkedStation } from '../types.ts';

/**
 * Whether this station leads, or is the standby of another one. A standby writes no records of its own: the store
 * refuses them with a sentence that names the other station. Rooms stop and resume with `store.onReadOnly`.
 */
export class Leadership {
  readonly #store: Store;
  readonly #changed = new Emitter<[]>();
  #following: LinkedStation | undefined;

  /** Open it before anything writes. */
  constructor(store: Store) {
    this.#store = store;
    const row = store.sql
      .prepare(
        `SELECT station_id AS id, station_number AS number, station_name AS name FROM links
         WHERE json_extract(settings, '$.standby') = 1 AND cut <> 'here'`,
      )
      .get();
    if (row) this.follow({ id: String(row['id']), number: Number(row['number']), name: String(row['name']) });
  }

  /** The station that this one follows; undefined: it leads. */
  get following(): LinkedStation | undefined {
    return this.#following;
  }

  follow(station: LinkedStation): void {
    this.#following = station;
    this.#store.setReadOnly(reason('sync.standby', { name: station.name }));
    this.#changed.emit();
  }

  lead(): void {
    if (!this.#following) return;
    this.#following = undefined;
    this.#store.setReadOnly(undefined);
    this.#changed.emit();
  }

  /** Calls the listener when the station begins or ends to follow. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }
}
