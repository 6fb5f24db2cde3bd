import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/types.ts';
import type { Severity } from './reading/read-warning.ts';

/** A feed that the station follows. */
export interface WarningFeed {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  /** Seconds between two looks. */
  readonly seconds: number;
  readonly login: string;
  readonly secret: string;
  /** Only what touches the territory of the station. */
  readonly onlyTerritory: boolean;
  /** Codes and names of areas that concern the station, too. */
  readonly places: readonly string[];
  readonly leastSeverity: Severity;
  /** From which severity on a new warning raises an alarm; null: none does. */
  readonly alarmFrom: Severity | null;
  /** The organization that gets the alarms. */
  readonly organizationId: number;
  /** The feed lists only the newest: a warning with an end holds until then, also when it is no longer listed. */
  readonly keepsUnlisted: boolean;
}

export type WarningFeedOrder = Omit<WarningFeed, 'id'>;

/** The feeds that a station follows, a table of this station. */
export class WarningFeeds {
  readonly #store: Pick<Store, 'writePlain'>;
  readonly #feeds: Map<number, WarningFeed>;

  private constructor(store: Pick<Store, 'writePlain'>, feeds: Map<number, WarningFeed>) {
    this.#store = store;
    this.#feeds = feeds;
  }

  static async open(store: Pick<Store, 'writePlain'>): Promise<WarningFeeds> {
    const rows = await store.writePlain((sql) => {
      sql.exec(
        'CREATE TABLE IF NOT EXISTS warning_feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL) STRICT',
      );
      return sql.prepare('SELECT id, value FROM warning_feeds ORDER BY id').all();
    });
    const feeds = rows.map(({ id, value }): WarningFeed => ({
      ...(JSON.parse(String(value)) as WarningFeedOrder),
      id: Number(id),
    }));
    return new WarningFeeds(store, new Map(feeds.map((feed) => [feed.id, feed])));
  }

  all(): WarningFeed[] {
    return [...this.#feeds.values()];
  }

  get(id: number): WarningFeed | undefined {
    return this.#feeds.get(id);
  }

  async create(order: WarningFeedOrder): Promise<WarningFeed> {
    const { lastInsertRowid } = await this.#write((sql) =>
      sql.prepare('INSERT INTO warning_feeds (value) VALUES (?)').run(JSON.stringify(order)),
    );
    return this.#keep({ ...order, id: Number(lastInsertRowid) });
  }

  async change(id: number, order: WarningFeedOrder): Promise<WarningFeed> {
    await this.#write((sql) =>
      sql.prepare('UPDATE warning_feeds SET value = ? WHERE id = ?').run(JSON.stringify(order), id),
    );
    return this.#keep({ ...order, id });
  }

  async delete(id: number): Promise<void> {
    await this.#write((sql) => sql.prepare('DELETE FROM warning_feeds WHERE id = ?').run(id));
    this.#feeds.delete(id);
  }

  #write<R>(work: (sql: DatabaseSync) => R): Promise<R> {
    return this.#store.writePlain(work);
  }

  #keep(feed: WarningFeed): WarningFeed {
    this.#feeds.set(feed.id, feed);
    return feed;
  }
}
