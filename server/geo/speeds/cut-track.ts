import { airDistance } from '../../../shared/geo/geometry.ts';
import type { TrackFix } from '../routing/index.ts';
import { STANDING_SPEED } from '../../tracking/telemetry/tracks/index.ts';

/**
 * Fields of a track point that matter here: epoch ms, degrees, km/h. A point with `marks` other than 0 is
 * invalid.
 */
export interface CutPoint {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly marks: number;
  /** 0: the engine is off; null: unknown. */
  readonly engine: number | null;
}

/** Minimum metres between kept points. */
const APART = 15;
/**
 * ms. A longer stop, or one with the engine off, is parking; a shorter one is traffic (README rule 6). Stops
 * among the events use the same three minutes.
 */
const PARKED = 180_000;
/** ms and metres between two points that end a drive (README rule 7). */
export const GAP = 120_000;
const FAR = 3_000;
/** Below this speed (km/h) a receiver's course is random. */
const COURSE_SPEED = 8;
/** Maximum points of a drive. */
const MOST = 2_000;

/**
 * Cuts a track into drives between parkings, as points arrive in order, and drops points that add nothing.
 */
export class DriveCutter {
  readonly #emit: (drive: readonly TrackFix[]) => void;
  #kept: TrackFix[] = [];
  #last: CutPoint | undefined;
  #standing: number | undefined;
  #parked = false;

  constructor(emit: (drive: readonly TrackFix[]) => void) {
    this.#emit = emit;
  }

  /** Time up to which no point is needed any more, epoch ms: before the open drive, or the last point. */
  get doneUntil(): number | undefined {
    return this.#kept[0] ? this.#kept[0].time - 1 : this.#last?.time;
  }

  /** Time of the last point. */
  get lastTime(): number | undefined {
    return this.#last?.time;
  }

  add(point: CutPoint): void {
    if (point.marks !== 0) return;
    const last = this.#last;
    if (last && (point.time - last.time > GAP || airDistance(last, point) > FAR)) this.end();
    const slow = point.speed < STANDING_SPEED;
    if (slow) this.#stand(point);
    else this.#move(point, last);
    this.#last = point;
  }

  /** Ends the drive. */
  end(): void {
    const { time } = this.#kept.at(-1) ?? { time: Infinity };
    if (this.#last && this.#last.time > time && !this.#parked && this.#standing === undefined) this.#keep(this.#last);
    const drive = this.#kept;
    this.#kept = [];
    this.#standing = undefined;
    this.#parked = false;
    if (drive.length > 1) this.#emit(drive);
  }

  #stand(point: CutPoint): void {
    if (this.#standing === undefined) {
      this.#standing = point.time;
      this.#keep(point);
    }
    if (this.#parked || (point.engine !== 0 && point.time - this.#standing <= PARKED)) return;
    const standing = this.#standing;
    this.end();
    this.#standing = standing;
    this.#parked = true;
  }

  #move(point: CutPoint, last: CutPoint | undefined): void {
    // The stop ends at its last standing point.
    if (this.#standing !== undefined && last && last.time > (this.#kept.at(-1)?.time ?? -Infinity)) this.#keep(last);
    this.#standing = undefined;
    this.#parked = false;
    const kept = this.#kept.at(-1);
    if (!kept || airDistance(kept, point) >= APART) this.#keep(point);
    if (this.#kept.length >= MOST) this.end();
  }

  #keep({ time, lat, lon, speed, direction }: CutPoint): void {
    // Devices without a course send 0.
    this.#kept.push({ time, lat, lon, course: speed >= COURSE_SPEED && direction !== 0 ? direction : undefined });
  }
}
