import { DatabaseSync } from 'node:sqlite';
import { PointReader } from './point-reader.ts';
import { LAST_PLACE, NEWEST_FIRST, TIMES, WHOLE_POINTS } from '../months/point-selection.ts';
import { recordedPoint, type RecordedPoint, type StoredPoint } from './stored-point.ts';

const PAGE = 2000;
/** Points of the first page of a lazy reading; each further page is twice as long. */
const FIRST_PAGE = 50;

/** Where a vehicle was, and how it moved: km/h and degrees. */
export type LastPlace = Pick<StoredPoint, 'time' | 'lat' | 'lon' | 'speed' | 'direction'>;

/**
 * The door to tracks for other threads, on connections of its own. Pages are separate reads, so that a slow
 * reader blocks nothing.
 */
export class TrackFile {
  readonly #db: DatabaseSync;
  readonly #reader: PointReader;

  /** @param file `tracks.db`; the months are beside it */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA query_only=1; PRAGMA cache_size=-8000');
    this.#reader = new PointReader(this.#db, file, { mayWait: true });
  }

  /** Ordered by time, both ends inclusive, some thousands at once. */
  *pages(vehicle: number, from: number, until: number): Generator<StoredPoint[]> {
    for (let next = from; ;) {
      const page = this.#reader.read(vehicle, WHOLE_POINTS, { from: next, until, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      next = page.at(-1)!.time + 1;
    }
  }

  /** The same, as events and reports see points. */
  *points(vehicle: number, from: number, until: number): Generator<RecordedPoint> {
    for (const page of this.pages(vehicle, from, until)) for (const point of page) yield recordedPoint(point);
  }

  /** All points after a time, for callers that may need only the first ones. */
  *after(vehicle: number, time: number): Generator<RecordedPoint> {
    for (let [after, size] = [time, FIRST_PAGE]; ; size = Math.min(2 * size, PAGE)) {
      const page = this.#reader.read(vehicle, WHOLE_POINTS, { from: after + 1, limit: size });
      for (const point of page) yield recordedPoint(point);
      if (page.length < size) return;
      after = page.at(-1)!.time;
    }
  }

  /** The latest points of a vehicle, newest first, read lazily. */
  *newest(vehicle: number, limit: number): Generator<StoredPoint> {
    let until = Number.MAX_SAFE_INTEGER;
    for (let [left, size] = [limit, FIRST_PAGE]; left > 0; size = Math.min(2 * size, PAGE)) {
      const page = this.#reader.read(vehicle, NEWEST_FIRST, { until, limit: Math.min(size, left) });
      yield* page;
      if (page.length < Math.min(size, left)) return;
      left -= page.length;
      until = page.at(-1)!.time - 1;
    }
  }

  /** The last plausible places of vehicles in a period, both ends inclusive, from one snapshot. */
  lastPlaces(vehicles: Iterable<number>, from: number, until: number): Map<number, LastPlace> {
    const found = new Map<number, LastPlace>();
    this.#db.exec('BEGIN');
    try {
      for (const vehicle of vehicles) {
        const [place] = this.#reader.read<LastPlace>(vehicle, LAST_PLACE, { from, until, limit: 1 });
        if (place) found.set(vehicle, place);
      }
    } finally {
      this.#db.exec('COMMIT');
    }
    return found;
  }

  /** The time of the oldest point of a vehicle, or undefined. */
  oldest(vehicle: number): number | undefined {
    return this.#reader.read(vehicle, TIMES, { limit: 1 })[0]?.time;
  }

  /** How many points of a vehicle are older than `before`, and the oldest of them. */
  olderThan(vehicle: number, before: number): { points: number; oldest: number | null } {
    const oldest = this.oldest(vehicle);
    return oldest === undefined || oldest >= before
      ? { points: 0, oldest: null }
      : { points: this.#reader.count(vehicle, oldest, before - 1), oldest };
  }

  close(): void {
    this.#reader.close();
    this.#db.close();
  }
}
