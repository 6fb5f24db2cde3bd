import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LastState } from '../../../../shared/fleet/last-state.ts';
import { packStates, storedState } from './packed-states.ts';
import { movedUntil } from '../historian/catalogue.ts';
import { JUMP, UNPLACED } from './plausible.ts';
import { PointReader } from './point-reader.ts';
import { LAST_BELIEVED, PointSelection, WHOLE_POINTS } from '../months/point-selection.ts';
import { openTracks, tracksFile } from './schema.ts';
import { STANDING_SPEED, trackPoint, type CandidatePoint, type TrackPoint } from './state.ts';
import {
  POINT_COLUMNS,
  RECORDED_COLUMNS,
  recordedPoint,
  type RecordedPoint,
  type RecordedRow,
  type StoredPoint,
} from './stored-point.ts';
import type { TrackSpan } from './unprocessed-spans.ts';

/** A track with points that came from another station. */
export interface PeerTrack {
  /** Time of the newest point that a device sent to this station, or -1. */
  readonly ownUntil: number;
  /** Whether its unprocessed span holds only points of a vehicle that reports to another station. */
  readonly isSpanOfPeer: boolean;
}

/** Late records mostly need only the first point after them. */
const FIRST_CANDIDATES = 2;
const MAX_CANDIDATES = 1_000;

/** Points read at once while they are handed on. */
const POINTS_AT_ONCE = 500;

const CANDIDATES = new PointSelection({
  columns: 'time, lat, lon, speed, engine, speedDerived, marks',
  where: `(marks & ~${JUMP})=0`,
});
const NEWEST_TIME = new PointSelection({ columns: 'time', newestFirst: true });
const UNPLACED_POINTS = new PointSelection({ where: `(marks & ${UNPLACED})<>0` });
const BELIEVED_TIMES = new PointSelection({ columns: 'time', where: 'marks=0' });
const LAST_MOVING = new PointSelection({
  columns: 'time',
  where: `marks=0 AND speed>=${STANDING_SPEED}`,
  newestFirst: true,
});
const RECORDED = new PointSelection({ columns: RECORDED_COLUMNS });

/** Points and last states, on connections of its own: those of the writing thread, and read-only ones. */
export class Tracks {
  readonly file: string;
  /** `tracks.db` */
  readonly db: DatabaseSync;
  readonly #reader: PointReader;
  readonly #addPoint: StatementSync;
  readonly #replacePoint: StatementSync;
  readonly #saveOneState: StatementSync;
  readonly #clearUnprocessed: StatementSync;
  readonly #savePeerTrack: StatementSync;

  constructor(directory: string, { onlyReads = false } = {}) {
    this.file = tracksFile(directory);
    this.db = openTracks(this.file);
    if (onlyReads) this.db.exec('PRAGMA query_only=1');
    this.#reader = new PointReader(this.db, this.file, { isWriter: !onlyReads });
    const values = '(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)';
    this.#addPoint = this.db.prepare(`INSERT INTO tracks (${POINT_COLUMNS}) VALUES ${values}`);
    this.#replacePoint = this.db.prepare(`INSERT OR REPLACE INTO tracks (${POINT_COLUMNS}) VALUES ${values}`);
    this.#saveOneState = this.db.prepare(
      'INSERT INTO states (vehicle, state, unsettledFrom, unsettledTill) VALUES (?,?,?,?) ON CONFLICT (vehicle) DO UPDATE SET state=excluded.state, unsettledFrom=excluded.unsettledFrom, unsettledTill=excluded.unsettledTill',
    );
    this.#clearUnprocessed = this.db.prepare(
      'UPDATE states SET unsettledFrom=NULL, unsettledTill=NULL WHERE vehicle=?',
    );
    this.#savePeerTrack = this.db.prepare(
      'INSERT OR REPLACE INTO peer_tracks (vehicle, ownUntil, isSpanOfPeer) VALUES (?,?,?)',
    );
  }

  close(): void {
    this.#reader.close();
    this.db.close();
  }

  /** The writer has moved points, or rolled back. */
  placesChanged(): void {
    this.#reader.placesChanged();
  }

  /** The vehicle has no point of that time. */
  add(point: StoredPoint): void {
    this.#addPoint.run(...valuesOf(point));
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.#reader.point(vehicle, time);
  }

  /** The last plausible point before a time. */
  before(vehicle: number, time: number): TrackPoint | undefined {
    const [row] = this.#reader.read(vehicle, LAST_BELIEVED, { until: time - 1, limit: 1 });
    return row && trackPoint(row);
  }

  /**
   * The points after a time without marks except perhaps `jump`, in order, read lazily. Do not write
   * meanwhile.
   */
  *candidates(vehicle: number, time: number): Generator<CandidatePoint> {
    for (let [after, size] = [time, FIRST_CANDIDATES]; ; size = Math.min(4 * size, MAX_CANDIDATES)) {
      const page = this.#reader.read(vehicle, CANDIDATES, { from: after + 1, limit: size });
      for (const point of page)
        yield { ...trackPoint(point), believed: point.marks === 0, speedDerived: point.speedDerived === 1 };
      if (page.length < size) return;
      after = page.at(-1)!.time;
    }
  }

  /** The time of the newest point of a vehicle, plausible or not, or -1. */
  newestTime(vehicle: number): number {
    return this.#reader.read(vehicle, NEWEST_TIME, { limit: 1 })[0]?.time ?? -1;
  }

  /** Whether a candidate is plausible, and its speed. */
  setBelief(vehicle: number, { time, believed, speed }: CandidatePoint): void {
    this.#replace({ ...this.point(vehicle, time)!, marks: believed ? 0 : JUMP, speed });
  }

  /**
   * Gives this position to the points between two times that have none of their own. Returns the time of the
   * last of them, or undefined.
   */
  placeBetween(vehicle: number, { lat, lon, time }: TrackPoint, until: number): number | undefined {
    let last: number | undefined;
    for (let after = time; ;) {
      const page = this.#reader.read(vehicle, UNPLACED_POINTS, {
        from: after + 1,
        until: Math.min(until - 1, Number.MAX_SAFE_INTEGER),
        limit: MAX_CANDIDATES,
      });
      for (const point of page) this.#replace({ ...point, lat, lon });
      last = page.at(-1)?.time ?? last;
      if (page.length < MAX_CANDIDATES) return last;
      after = last!;
    }
  }

  /**
   * Since when a vehicle has been standing, whose last plausible point of this time is a standing one. No earlier than
   * the points that the historian has: nobody waits for it here.
   */
  stoppedSince(vehicle: number, time: number): number {
    const since = movedUntil(this.db) + 1;
    const [moved] = this.#reader.read(vehicle, LAST_MOVING, { from: since, until: time, limit: 1 });
    const from = moved ? moved.time + 1 : since;
    return this.#reader.read(vehicle, BELIEVED_TIMES, { from, until: time, limit: 1 })[0]?.time ?? time;
  }

  /** Ordered by time, both ends inclusive, at most `limit`. */
  between(vehicle: number, from: number, until: number, limit: number): StoredPoint[] {
    return this.#reader.read(vehicle, WHOLE_POINTS, { from, until, limit });
  }

  /**
   * Ordered by time, at most `limit`; only the columns of `recordedPoint`, because it runs for every record.
   */
  after(vehicle: number, time: number, limit: number): RecordedRow[] {
    return this.#reader.read<RecordedRow>(vehicle, RECORDED, { from: time + 1, limit });
  }

  /** The points after a time, in order, as they are read. */
  *recordedAfter(vehicle: number, time: number): Generator<RecordedPoint> {
    for (let from = time; ;) {
      const page = this.after(vehicle, from, POINTS_AT_ONCE);
      for (const point of page) yield recordedPoint(point);
      if (page.length < POINTS_AT_ONCE) return;
      from = page.at(-1)!.time;
    }
  }

  /** How many points there are between two times, both inclusive. */
  count(vehicle: number, from: number, until: number): number {
    return this.#reader.count(vehicle, from, until);
  }

  /** Points of an earlier place are shadowed by the new row, until it is copied over them. */
  #replace(point: StoredPoint): void {
    this.#replacePoint.run(...valuesOf(point));
  }

  saveState(state: LastState, unprocessed: TrackSpan | undefined): void {
    this.#saveOneState.run(state.id, packStates([state]), unprocessed?.from ?? null, unprocessed?.until ?? null);
  }

  /** The events of this span are computed. */
  markProcessed(vehicle: number): void {
    this.#clearUnprocessed.run(vehicle);
  }

  unprocessed(): Omit<TrackSpan, 'stamp'>[] {
    return this.db
      .prepare(
        'SELECT vehicle AS vehicleId, unsettledFrom AS "from", unsettledTill AS until, coalesce(isSpanOfPeer, 0) AS isOfPeer FROM states LEFT JOIN peer_tracks USING (vehicle) WHERE unsettledFrom IS NOT NULL',
      )
      .all()
      .map((row) => ({ ...row, isOfPeer: row['isOfPeer'] === 1 })) as unknown as Omit<TrackSpan, 'stamp'>[];
  }

  /** Tracks with points that came from other stations. */
  peerTracks(): (PeerTrack & { readonly vehicle: number })[] {
    return this.db
      .prepare('SELECT vehicle, ownUntil, isSpanOfPeer FROM peer_tracks')
      .all()
      .map((row) => ({
        vehicle: row['vehicle'] as number,
        ownUntil: row['ownUntil'] as number,
        isSpanOfPeer: row['isSpanOfPeer'] === 1,
      }));
  }

  savePeerTrack(vehicle: number, { ownUntil, isSpanOfPeer }: PeerTrack): void {
    this.#savePeerTrack.run(vehicle, ownUntil, isSpanOfPeer ? 1 : 0);
  }

  /** The random name of this file. Another one has none of its points, as far as other stations know. */
  get name(): string {
    return this.db.prepare('SELECT name FROM track_store').get()!['name'] as string;
  }

  states(): LastState[] {
    return this.db
      .prepare('SELECT state FROM states')
      .all()
      .map((row) => storedState(row['state'] as Uint8Array | string));
  }
}

function valuesOf(point: StoredPoint): (number | string | null)[] {
  return [
    point.vehicle,
    point.time,
    point.storedAt,
    point.lat,
    point.lon,
    point.speed,
    point.direction,
    point.height,
    point.gpsCount,
    point.glonassCount,
    point.inputs,
    point.marks,
    point.extra,
    point.speedDerived,
    point.engine,
  ];
}
