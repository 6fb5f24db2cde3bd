import type { LogBookEntry } from '../../../shared/records/index.ts';
import type { Records, Store } from '../../store/types.ts';

/** Times of the entries in order, so that a period costs only its own entries. */
export class EntryTimes {
  readonly #byTime: { readonly at: number; readonly id: number }[];
  readonly #stop: () => void;

  constructor(store: Store, entries: Pick<Records<LogBookEntry>, 'watch'>) {
    this.#byTime = store.sql
      .prepare(
        `SELECT id, json_extract(data, '$.at') AS at FROM ${store.table('fleet')} WHERE deleted = 0 AND kind = 'logBookEntry' AND json_valid(data) ORDER BY at, id`,
      )
      .all()
      .map((row) => ({ at: Number(row['at']), id: Number(row['id']) }));
    this.#stop = entries.watch((changes) => {
      for (const { record, before, deleted } of changes) {
        if (before) this.#remove(before);
        if (!deleted) this.#byTime.splice(this.#placeOf(record.at, record.id), 0, { at: record.at, id: record.id });
      }
    });
  }

  /** The ids of entries from `from` up to `until`, without that. */
  within(from: number, until: number): number[] {
    return this.#byTime.slice(this.#placeOf(from, 0), this.#placeOf(until, 0)).map(({ id }) => id);
  }

  close(): void {
    this.#stop();
  }

  #remove({ at, id }: LogBookEntry): void {
    const place = this.#placeOf(at, id);
    if (this.#byTime[place]?.id === id) this.#byTime.splice(place, 1);
  }

  /** The first place whose entry is not before this one. */
  #placeOf(at: number, id: number): number {
    let [low, high] = [0, this.#byTime.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#byTime[middle]!;
      if (entry.at < at || (entry.at === at && entry.id < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
