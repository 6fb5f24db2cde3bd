import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { POINT_COLUMNS, recordedPoint, type RecordedPoint, type StoredPoint } from './tracks.ts';

const PAGE = 2000;
/** Points of the first page of a lazy reading; each further page is twice as long. */
const FIRST_PAGE = 50;

/**
 * Reads `tracks.db` on its own connection, for other threads. Pages are separate reads, so that a slow reader
 * blocks nothing.
 */
export class TrackFile {
  readonly #db: DatabaseSync;
  readonly #page: StatementSync;
  readonly #after: StatementSync;
  readonly #newest: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA query_only=1; PRAGMA cache_size=-8000');
    this.#page = this.#db.prepare(
      `SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time>? AND time<=? ORDER BY time LIMIT ${PAGE}`,
    );
    this.#after = this.#db.prepare(
      `SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time>? ORDER BY time LIMIT ?`,
    );
    this.#newest = this.#db.prepare(`SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? ORDER BY time DESC LIMIT ?`);
  }

  /** Ordered by time, both ends inclusive, some thousands at once. */
  *pages(vehicle: number, from: number, until: number): Generator<StoredPoint[]> {
    for (let after = from - 1; ;) {
      const page = this.#page.all(vehicle, after, until) as unknown as StoredPoint[];
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.time;
    }
  }

  /** The same, as events and reports see points. */
  *points(vehicle: number, from: number, until: number): Generator<RecordedPoint> {
    for (const page of this.pages(vehicle, from, until)) for (const point of page) yield recordedPoint(point);
  }

  /** All points after a time, for callers that may need only the first ones. */
  *after(vehicle: number, time: number): Generator<RecordedPoint> {
    for (let [after, size] = [time, FIRST_PAGE]; ; size = Math.min(2 * size, PAGE)) {
      const page = this.#after.all(vehicle, after, size) as unknown as StoredPoint[];
      for (const point of page) yield recordedPoint(point);
      if (page.length < size) return;
      after = page.at(-1)!.time;
    }
  }

  /** The latest points of a vehicle, newest first, read lazily. */
  newest(vehicle: number, limit: number): Iterable<StoredPoint> {
    return this.#newest.iterate(vehicle, limit) as Iterable<unknown> as Iterable<StoredPoint>;
  }

  /** The time of the oldest point of a vehicle, or undefined. */
  oldest(vehicle: number): number | undefined {
    return (
      (this.#db.prepare('SELECT min(time) AS time FROM tracks WHERE vehicle=?').get(vehicle) as { time: number | null })
        .time ?? undefined
    );
  }

  /** How many points of a vehicle are older than `before`, and the oldest of them. */
  olderThan(vehicle: number, before: number): { points: number; oldest: number | null } {
    return this.#db
      .prepare('SELECT count(*) AS points, min(time) AS oldest FROM tracks WHERE vehicle=? AND time<?')
      .get(vehicle, before) as { points: number; oldest: number | null };
  }

  close(): void {
    this.#db.close();
  }
}
