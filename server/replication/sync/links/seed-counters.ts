import type { Store } from '../../../store/index.ts';

/** Tells whether a station has given out ids since its first start. */
export class SeedCounters {
  readonly #store: Store;
  readonly #seeds: ReadonlyMap<string, number>;

  private constructor(store: Store) {
    this.#store = store;
    this.#seeds = read(store, 'seed_counters');
  }

  /** The first time, notes the counters as they are. */
  static async open(store: Store): Promise<SeedCounters> {
    if (read(store, 'seed_counters').size === 0)
      await store.writePlain((sql) =>
        sql.exec("INSERT INTO seed_counters SELECT name, last FROM counters; INSERT INTO seed_counters VALUES ('', 0)"),
      );
    return new SeedCounters(store);
  }

  /** Whether the ids of the first start are still the last ones. */
  areLast(): boolean {
    // Of a station from before there were links nothing is known.
    if (this.#seeds.size === 1) return false;
    return [...read(this.#store, 'counters')].every(([name, last]) => this.#seeds.get(name) === last);
  }
}

function read(store: Store, table: 'counters' | 'seed_counters'): Map<string, number> {
  return new Map(
    store.sql
      .prepare(`SELECT name, last FROM ${table}`)
      .all()
      .map(({ name, last }) => [String(name), Number(last)]),
  );
}
