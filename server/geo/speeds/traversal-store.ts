import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { upgradeTables } from './upgrade-tables.ts';

/** One vehicle drove one road from end to end. */
export interface Traversal {
  /** The direction of the road, by `ArcKeys`. */
  readonly road: number;
  /** Epoch ms at which the road was entered. */
  readonly time: number;
  /** Tenths of a second, without the turn at the end. */
  readonly tenths: number;
}

/** A drive with its estimates, made before anything was learned from it. */
export interface TimedDrive {
  /** Epoch ms. */
  readonly start: number;
  readonly metres: number;
  /** Tenths of a second: actual duration, and the estimates by profile and by learned speeds. */
  readonly took: number;
  readonly baseline: number;
  readonly learned: number;
  /** Metres on roads with learned times. */
  readonly known: number;
}

/** The migration from each version to the next. */
const UPGRADES: readonly string[] = [];
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS passages (road INTEGER NOT NULL, time INTEGER NOT NULL, vehicle INTEGER NOT NULL, tenths INTEGER NOT NULL, PRIMARY KEY (road, time, vehicle)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS passages_vehicle ON passages (vehicle, time);
  CREATE TABLE IF NOT EXISTS drives (
    vehicle INTEGER NOT NULL, start INTEGER NOT NULL, metres REAL NOT NULL, took INTEGER NOT NULL, usual INTEGER NOT NULL, learned INTEGER NOT NULL, known REAL NOT NULL,
    PRIMARY KEY (vehicle, start)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS cursors (vehicle INTEGER PRIMARY KEY, till INTEGER NOT NULL);
`;

/** Vehicle id of traversals and drives whose vehicle is forgotten. */
const NOBODY = 0;

/**
 * `speeds.db`: the traversals of each road, and how far each track was processed. It is computed from tracks
 * and can be computed again while they are kept.
 */
export class TraversalStore {
  readonly #db: DatabaseSync;
  readonly #add: StatementSync;
  readonly #addDrive: StatementSync;
  readonly #of: StatementSync;
  readonly #setCursor: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 5000 });
    this.#db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000');
    upgradeTables(this.#db, file, SCHEMA, UPGRADES);
    this.#add = this.#db.prepare(
      'INSERT INTO passages (road, time, vehicle, tenths) VALUES (?,?,?,?) ON CONFLICT DO NOTHING',
    );
    this.#addDrive = this.#db.prepare(
      'INSERT INTO drives (vehicle, start, metres, took, usual, learned, known) VALUES (?,?,?,?,?,?,?) ON CONFLICT DO NOTHING',
    );
    this.#of = this.#db.prepare('SELECT time, tenths FROM passages WHERE road=? ORDER BY time');
    this.#setCursor = this.#db.prepare(
      'INSERT INTO cursors (vehicle, till) VALUES (?,?) ON CONFLICT (vehicle) DO UPDATE SET till=excluded.till',
    );
  }

  /** Runs `work` in a transaction. */
  transaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  add(vehicle: number, { road, time, tenths }: Traversal): void {
    this.#add.run(road, Math.round(time), vehicle, tenths);
  }

  addDrive(vehicle: number, { start, metres, took, baseline, learned, known }: TimedDrive): void {
    this.#addDrive.run(vehicle, Math.round(start), metres, took, baseline, learned, known);
  }

  /** Time up to which a vehicle's track was learned from, epoch ms; undefined: not at all. */
  cursor(vehicle: number): number | undefined {
    return (this.#db.prepare('SELECT till FROM cursors WHERE vehicle=?').get(vehicle) as { till: number } | undefined)
      ?.till;
  }

  setCursor(vehicle: number, until: number): void {
    this.#setCursor.run(vehicle, Math.floor(until));
  }

  /** Deletes a vehicle's traversals and drives from a time on. Returns the affected roads. */
  deleteFrom(vehicle: number, from: number): number[] {
    const roads = this.#db
      .prepare('SELECT DISTINCT road FROM passages WHERE vehicle=? AND time>=?')
      .all(vehicle, from)
      .map((row) => row['road'] as number);
    this.#db.prepare('DELETE FROM passages WHERE vehicle=? AND time>=?').run(vehicle, from);
    this.#db.prepare('DELETE FROM drives WHERE vehicle=? AND start>=?').run(vehicle, from);
    return roads;
  }

  /** Traversals of a road by time. */
  of(road: number): Omit<Traversal, 'road'>[] {
    return this.#of.all(road) as unknown as Omit<Traversal, 'road'>[];
  }

  /** All traversals by road and time. */
  all(): Iterable<Traversal> {
    return this.#db
      .prepare('SELECT road, time, tenths FROM passages ORDER BY road, time')
      .iterate() as unknown as Iterable<Traversal>;
  }

  /** Drives that began since a time, unordered. */
  drives(since: number): TimedDrive[] {
    return this.#db
      .prepare('SELECT start, metres, took, usual AS baseline, learned, known FROM drives WHERE start>=?')
      .all(since) as unknown as TimedDrive[];
  }

  facts(): { passages: number; from: number | null; until: number | null } {
    return this.#db
      .prepare('SELECT count(*) AS passages, min(time) AS "from", max(time) AS until FROM passages')
      .get() as { passages: number; from: number | null; until: number | null };
  }

  /**
   * Forgets the vehicles of old traversals, at most `most` at once; returns how many. Where two vehicles
   * entered in the same millisecond, one remains.
   */
  forgetVehicles(before: number, most: number): number {
    const old = this.#db
      .prepare('SELECT road, time, vehicle, tenths FROM passages WHERE vehicle>0 AND time<? LIMIT ?')
      .all(before, most);
    this.transaction(() => {
      const drop = this.#db.prepare('DELETE FROM passages WHERE road=? AND time=? AND vehicle=?');
      for (const { road, time, vehicle, tenths } of old as unknown as (Traversal & { vehicle: number })[]) {
        drop.run(road, time, vehicle);
        this.#add.run(road, time, NOBODY, tenths);
      }
      this.#db
        .prepare('UPDATE OR REPLACE drives SET vehicle=? WHERE vehicle<>? AND start<?')
        .run(NOBODY, NOBODY, before);
    });
    return old.length;
  }

  /** Deletes older traversals and drives. Returns whether any were deleted. */
  forgetBefore(time: number): boolean {
    const { changes } = this.#db.prepare('DELETE FROM passages WHERE time<?').run(time);
    this.#db.prepare('DELETE FROM drives WHERE start<?').run(time);
    return changes > 0;
  }

  forgetAll(): void {
    this.#db.exec('BEGIN IMMEDIATE; DELETE FROM passages; DELETE FROM drives; DELETE FROM cursors; COMMIT');
  }

  close(): void {
    this.#db.close();
  }
}
