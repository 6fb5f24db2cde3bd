import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Refusal } from '../../../shared/refusal.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import type { Readings } from '../../../shared/fleet/sensors.ts';
import type { IncomingFix } from './incoming-fixes.ts';
import { packStates, storedState } from './packed-states.ts';
import { bitsToMarks, hasPosition, isPlaced, JUMP, UNPLACED, type Mark } from './plausible.ts';
import { STANDING_SPEED, trackPoint, type CandidatePoint, type TrackPoint } from './state.ts';
import type { TrackSpan } from './unprocessed-spans.ts';

/** A point as stored; `marks` are bits of `MARKS`. */
export interface StoredPoint {
  vehicle: number;
  time: number;
  storedAt: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
  gpsCount: number | null;
  glonassCount: number | null;
  inputs: number;
  marks: number;
  /** JSON of `adc` and `params`; empty when the device sent neither. */
  extra: string;
  /** 1 when the device sent no speed, and it was computed. */
  speedDerived: number;
  /** 0 or 1; null: no ignition was connected. */
  engine: number | null;
}

/** A point of a track as returned to readers. */
export interface TrackEntry {
  time: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
  marks: Mark[];
}

/**
 * A point with everything that the device sent; `speed` is null if it sent none, `fixed` false if the
 * position is not its own or not believed.
 */
export interface RecordedPoint {
  time: number;
  lat: number;
  lon: number;
  speed: number | null;
  direction: number;
  fixed: boolean;
  inputs: number;
  adc: readonly number[];
  params: Readonly<Record<string, number | string | boolean>>;
}

/** The stored fields of a recorded point. */
type RecordedRow = Pick<
  StoredPoint,
  'time' | 'lat' | 'lon' | 'speed' | 'speedDerived' | 'direction' | 'marks' | 'inputs' | 'extra'
>;

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

/**
 * Clustered by vehicle and time: a track is contiguous in the file, and a repeated record is the same row.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tracks (
    vehicle INTEGER NOT NULL, time INTEGER NOT NULL, storedAt INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, speed REAL NOT NULL, direction REAL NOT NULL,
    height REAL NOT NULL, gpsCount INTEGER, glonassCount INTEGER, inputs INTEGER NOT NULL, marks INTEGER NOT NULL, extra TEXT NOT NULL, speedDerived INTEGER NOT NULL, engine INTEGER,
    PRIMARY KEY (vehicle, time)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS states (vehicle INTEGER PRIMARY KEY, state BLOB NOT NULL, unsettledFrom INTEGER, unsettledTill INTEGER) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, source TEXT NOT NULL, device TEXT NOT NULL, reason TEXT NOT NULL, raw BLOB NOT NULL,
    digest BLOB NOT NULL UNIQUE
  );
  CREATE INDEX IF NOT EXISTS quarantine_time ON quarantine (time);
  CREATE TABLE IF NOT EXISTS retention (organizationId INTEGER PRIMARY KEY, days INTEGER NOT NULL, since INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS peer_tracks (vehicle INTEGER PRIMARY KEY, ownUntil INTEGER NOT NULL, isSpanOfPeer INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS track_readers (link INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS track_unsent (link INTEGER NOT NULL, vehicle INTEGER NOT NULL, spans TEXT NOT NULL, PRIMARY KEY (link, vehicle)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS track_store (name TEXT NOT NULL);
  INSERT INTO track_store (name) SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM track_store);
`;
const VERSION = 5;

/** The migration from each version (from 1) to the next. */
const UPGRADES = [
  'ALTER TABLE states ADD COLUMN unsettledFrom INTEGER; ALTER TABLE states ADD COLUMN unsettledTill INTEGER;',
  'ALTER TABLE tracks ADD COLUMN engine INTEGER;',
  '' /* states became rows of numbers; those in JSON are still read */,
  '' /* tables of tracks that travel between stations were added */,
];

export const POINT_COLUMNS =
  'vehicle, time, storedAt, lat, lon, speed, direction, height, gpsCount, glonassCount, inputs, marks, extra, speedDerived, engine';
const RECORDED_COLUMNS = 'time, lat, lon, speed, speedDerived, direction, marks, inputs, extra';

/** The tables of `tracks.db`, on a connection of its own: one of the writing thread, and read-only ones. */
export class Tracks {
  readonly file: string;
  readonly db: DatabaseSync;
  readonly #insertPoint: StatementSync;
  readonly #onePoint: StatementSync;
  readonly #pointBefore: StatementSync;
  readonly #candidatesAfter: StatementSync;
  readonly #newestTime: StatementSync;
  readonly #belief: StatementSync;
  readonly #unplaced: StatementSync;
  readonly #place: StatementSync;
  readonly #stoppedSince: StatementSync;
  readonly #pointsBetween: StatementSync;
  readonly #saveOneState: StatementSync;
  readonly #clearUnprocessed: StatementSync;
  readonly #pointsAfter: StatementSync;
  readonly #countBetween: StatementSync;
  readonly #savePeerTrack: StatementSync;

  constructor(directory: string, { onlyReads = false } = {}) {
    this.file = join(directory, 'tracks.db');
    this.db = new DatabaseSync(this.file);
    this.db.exec(
      'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-16000',
    );
    const { user_version: version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > VERSION)
      throw new Refusal('store.newer', { file: this.file, what: 'tracks', found: version, known: VERSION });
    const upgrade = UPGRADES.slice(Math.max(0, version - 1))
      .filter(() => version > 0)
      .join(' ');
    this.db.exec(`BEGIN IMMEDIATE; ${upgrade} ${SCHEMA} PRAGMA user_version=${VERSION}; COMMIT`);
    if (onlyReads) this.db.exec('PRAGMA query_only=1');
    this.#insertPoint = this.db.prepare(
      `INSERT INTO tracks (${POINT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
    );
    this.#onePoint = this.db.prepare(`SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time=?`);
    this.#pointBefore = this.db.prepare(
      'SELECT time, lat, lon, speed, engine FROM tracks WHERE vehicle=? AND time<? AND marks=0 ORDER BY time DESC LIMIT 1',
    );
    this.#candidatesAfter = this.db.prepare(
      `SELECT time, lat, lon, speed, engine, speedDerived, marks FROM tracks WHERE vehicle=? AND time>? AND (marks & ~${JUMP})=0 ORDER BY time LIMIT ?`,
    );
    this.#newestTime = this.db.prepare('SELECT max(time) AS time FROM tracks WHERE vehicle=?');
    this.#belief = this.db.prepare('UPDATE tracks SET marks=?, speed=? WHERE vehicle=? AND time=?');
    this.#unplaced = this.db.prepare(
      `SELECT max(time) AS time FROM tracks WHERE vehicle=? AND time>? AND time<? AND (marks & ${UNPLACED})<>0`,
    );
    this.#place = this.db.prepare(
      `UPDATE tracks SET lat=?, lon=? WHERE vehicle=? AND time>? AND time<? AND (marks & ${UNPLACED})<>0`,
    );
    this.#stoppedSince = this.db
      .prepare(`SELECT min(time) AS time FROM tracks WHERE vehicle=?1 AND marks=0 AND time<=?2 AND time>coalesce(
      (SELECT time FROM tracks WHERE vehicle=?1 AND marks=0 AND time<=?2 AND speed>=?3 ORDER BY time DESC LIMIT 1), -1)`);
    this.#pointsBetween = this.db.prepare(
      `SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time BETWEEN ? AND ? ORDER BY time LIMIT ?`,
    );
    this.#saveOneState = this.db.prepare(
      'INSERT INTO states (vehicle, state, unsettledFrom, unsettledTill) VALUES (?,?,?,?) ON CONFLICT (vehicle) DO UPDATE SET state=excluded.state, unsettledFrom=excluded.unsettledFrom, unsettledTill=excluded.unsettledTill',
    );
    this.#clearUnprocessed = this.db.prepare(
      'UPDATE states SET unsettledFrom=NULL, unsettledTill=NULL WHERE vehicle=?',
    );
    this.#pointsAfter = this.db.prepare(
      `SELECT ${RECORDED_COLUMNS} FROM tracks WHERE vehicle=? AND time>? ORDER BY time LIMIT ?`,
    );
    this.#countBetween = this.db.prepare(
      'SELECT count(*) AS count FROM tracks WHERE vehicle=? AND time BETWEEN ? AND ?',
    );
    this.#savePeerTrack = this.db.prepare(
      'INSERT OR REPLACE INTO peer_tracks (vehicle, ownUntil, isSpanOfPeer) VALUES (?,?,?)',
    );
  }

  /** False when the vehicle already has a point of that time. */
  insert(point: StoredPoint): boolean {
    const { changes } = this.#insertPoint.run(
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
    );
    return changes === 1;
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.#onePoint.get(vehicle, time) as StoredPoint | undefined;
  }

  /** The last believed point before a time. */
  before(vehicle: number, time: number): TrackPoint | undefined {
    const row = this.#pointBefore.get(vehicle, time);
    return row && trackPoint(row as unknown as StoredPoint);
  }

  /**
   * The points after a time without marks except perhaps `jump`, in order, read lazily. Do not write
   * meanwhile.
   */
  *candidates(vehicle: number, time: number): Generator<CandidatePoint> {
    for (let [after, size] = [time, FIRST_CANDIDATES]; ; size = Math.min(4 * size, MAX_CANDIDATES)) {
      const page = this.#candidatesAfter.all(vehicle, after, size) as unknown as StoredPoint[];
      for (const point of page)
        yield { ...trackPoint(point), believed: point.marks === 0, speedDerived: point.speedDerived === 1 };
      if (page.length < size) return;
      after = page.at(-1)!.time;
    }
  }

  /** The time of the newest point of a vehicle, believed or not, or -1. */
  newestTime(vehicle: number): number {
    return (this.#newestTime.get(vehicle)?.['time'] as number | null | undefined) ?? -1;
  }

  /** Whether a candidate is believed, and its speed. */
  setBelief(vehicle: number, { time, believed, speed }: CandidatePoint): void {
    this.#belief.run(believed ? 0 : JUMP, speed, vehicle, time);
  }

  /**
   * Gives this position to the points between two times that have none of their own. Returns the time of the
   * last of them, or undefined.
   */
  placeBetween(vehicle: number, { lat, lon, time }: TrackPoint, until: number): number | undefined {
    const last = this.#unplaced.get(vehicle, time, until)?.['time'] as number | null;
    if (last === null) return undefined;
    this.#place.run(lat, lon, vehicle, time, until);
    return last;
  }

  /** Since when a vehicle has been standing, whose last believed point of this time is a standing one. */
  stoppedSince(vehicle: number, time: number): number {
    return (this.#stoppedSince.get(vehicle, time, STANDING_SPEED)?.['time'] as number | null | undefined) ?? time;
  }

  /** Ordered by time, both ends inclusive, at most `limit`. */
  between(vehicle: number, from: number, until: number, limit: number): StoredPoint[] {
    return this.#pointsBetween.all(vehicle, from, until, limit) as unknown as StoredPoint[];
  }

  /**
   * Ordered by time, at most `limit`; only the columns of `recordedPoint`, because it runs for every record.
   */
  after(vehicle: number, time: number, limit: number): RecordedRow[] {
    return this.#pointsAfter.all(vehicle, time, limit) as unknown as RecordedRow[];
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

  /** How many points there are between two times, both inclusive. */
  count(vehicle: number, from: number, until: number): number {
    return this.#countBetween.get(vehicle, from, until)!['count'] as number;
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

/** Whether a repeated record equals the stored one. */
export function sameContent(stored: StoredPoint, fix: IncomingFix): boolean {
  const hadPlace = (stored.marks & UNPLACED) === 0;
  const samePlace = hadPlace === isPlaced(fix) && (!hadPlace || (stored.lat === fix.lat && stored.lon === fix.lon));
  return (
    samePlace &&
    (fix.speed === undefined ? stored.speedDerived === 1 : stored.speedDerived === 0 && stored.speed === fix.speed) &&
    stored.direction === fix.direction &&
    stored.height === fix.height &&
    stored.gpsCount === (fix.gpsCount ?? null) &&
    stored.glonassCount === (fix.glonassCount ?? null) &&
    stored.inputs === fix.inputs &&
    stored.extra === fix.extra
  );
}

/** Further values of the device: parameters sorted by name, so that their order does not matter. */
export function orderedReadings({
  inputs = 0,
  adc = NOTHING_MORE.adc,
  params = NOTHING_MORE.params,
}: { readonly [K in keyof Readings]?: Readings[K] | undefined }): Readings {
  return { inputs, adc, params: inOrder(params) };
}

/** Already sorted parameters are not copied. */
function inOrder(params: Readings['params']): Readings['params'] {
  let last = '';
  for (const name in params) {
    if (name < last) return sorted(params);
    last = name;
  }
  return params;
}

function sorted(params: Readings['params']): Readings['params'] {
  const names = Object.keys(params).sort();
  if (names.includes('__proto__')) return Object.fromEntries(names.map((name) => [name, params[name]!]));
  const ordered: Record<string, number | string | boolean> = {};
  for (const name of names) ordered[name] = params[name]!;
  return ordered;
}

/**
 * The same in stored form.
 * @param readings sorted
 */
export function extraOf({ adc, params }: Readings): string {
  if (adc.length === 0) for (const _name in params) return JSON.stringify({ adc, params });
  return adc.length === 0 ? '' : JSON.stringify({ adc, params });
}

export function recordedPoint(point: RecordedRow): RecordedPoint {
  const { time, lat, lon, speed, speedDerived, direction, marks } = point;
  const { inputs, adc, params } = readingsOf(point);
  return {
    time,
    lat,
    lon,
    speed: speedDerived ? null : speed,
    direction,
    fixed: hasPosition(marks),
    inputs,
    adc,
    params,
  };
}

/** Further values of the device. */
export function readingsOf({ inputs, extra }: Pick<StoredPoint, 'inputs' | 'extra'>): Readings {
  return extra === ''
    ? { inputs, ...NOTHING_MORE }
    : { inputs, ...(JSON.parse(extra) as Pick<Readings, 'adc' | 'params'>) };
}

const NOTHING_MORE: Pick<Readings, 'adc' | 'params'> = { adc: [], params: {} };

export function presentPoint(
  point: Pick<StoredPoint, 'time' | 'lat' | 'lon' | 'speed' | 'direction' | 'height' | 'marks'>,
): TrackEntry {
  const { time, lat, lon, speed, direction, height, marks } = point;
  return { time, lat, lon, speed, direction, height, marks: bitsToMarks(marks) };
}
