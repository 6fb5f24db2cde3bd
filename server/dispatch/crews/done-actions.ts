import type { Store } from '../../store/types.ts';

/** ms for which the key of an action is remembered: longer than a telephone keeps an action unsent. */
export const REMEMBERED = 30 * 24 * 3_600_000;

/** The keys of actions from crews' telephones, so that nothing is done twice (README rule 6). */
export class DoneActions {
  readonly #store: Store;

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store, now: number): Promise<DoneActions> {
    await store.writePlain((sql) => {
      sql.exec(`CREATE TABLE IF NOT EXISTS crew_actions (
        vehicle_id INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (vehicle_id, key)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS crew_actions_at ON crew_actions (at)`);
      sql.prepare('DELETE FROM crew_actions WHERE at <= ?').run(now - REMEMBERED);
    });
    return new DoneActions(store);
  }

  has(vehicleId: number, key: string): boolean {
    const query = 'SELECT 1 FROM crew_actions WHERE vehicle_id = ? AND key = ?';
    return this.#store.sql.prepare(query).get(vehicleId, key) !== undefined;
  }

  /**
   * Does the work and remembers its key, both or neither. Call it for one vehicle at a time.
   * @returns whether it was done now; false: it was done before
   */
  async once(vehicleId: number, key: string, now: number, work: () => Promise<unknown>): Promise<boolean> {
    if (this.has(vehicleId, key)) return false;
    await this.#store.transaction(async () => {
      await work();
      await this.note(vehicleId, key, now);
    });
    return true;
  }

  async note(vehicleId: number, key: string, now: number): Promise<void> {
    const insert = 'INSERT OR IGNORE INTO crew_actions (vehicle_id, key, at) VALUES (?, ?, ?)';
    await this.#store.writePlain((sql) => sql.prepare(insert).run(vehicleId, key, now));
  }
}
