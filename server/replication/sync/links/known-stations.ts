import { LAST_STATION } from '../../../../shared/ids.ts';
import type { Store } from '../../../store/index.ts';
import type { LinkedStation } from '../types.ts';

/** Stations that this one has heard of, directly or through others, with their numbers and names. */
export class KnownStations {
  readonly #store: Store;
  readonly #own: () => LinkedStation;
  readonly #stations: Map<string, LinkedStation>;

  constructor(store: Store, own: () => LinkedStation) {
    this.#store = store;
    this.#own = own;
    this.#stations = new Map(
      store.sql
        .prepare('SELECT id, number, name FROM known_stations')
        .all()
        .map((row) => [
          String(row['id']),
          { id: String(row['id']), number: Number(row['number']), name: String(row['name']) },
        ]),
    );
  }

  /** This station too. */
  all(): readonly LinkedStation[] {
    return [this.#own(), ...this.#stations.values()];
  }

  withNumber(number: number): LinkedStation | undefined {
    return this.all().find((station) => station.number === number);
  }

  /** The station that holds the number, when it is not `stationId`. */
  otherWith(number: number, stationId: string): LinkedStation | undefined {
    return this.all().find((station) => station.number === number && station.id !== stationId);
  }

  /** The lowest number that nobody has. */
  freeNumber(): number | undefined {
    const taken = new Set(this.all().map(({ number }) => number));
    for (let number = 0; number <= LAST_STATION; number++) if (!taken.has(number)) return number;
    return undefined;
  }

  /** Stations that others know. What a station says of itself replaces what others said. */
  async learn(stations: readonly LinkedStation[], self?: LinkedStation): Promise<void> {
    const changed = [
      ...stations.filter(({ id }) => id !== this.#own().id && id !== self?.id && !this.#stations.has(id)),
      ...(self && !isEqual(self, this.#stations.get(self.id)) ? [self] : []),
    ];
    if (changed.length === 0) return;
    for (const { id, number, name } of changed) this.#stations.set(id, { id, number, name });
    await this.#store.writePlain((sql) => {
      const put = sql.prepare('INSERT OR REPLACE INTO known_stations (id, number, name) VALUES (?, ?, ?)');
      for (const { id, number, name } of changed) put.run(id, number, name);
    });
  }
}

function isEqual(one: LinkedStation, other: LinkedStation | undefined): boolean {
  return one.number === other?.number && one.name === other.name;
}
