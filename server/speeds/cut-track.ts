import { airDistance } from '../../shared/geo/geometry.ts';
import type { TrackFix } from '../routing/index.ts';
import { STANDING_SPEED } from '../telemetry/index.ts';

/** What of a point of a track is looked at: epoch ms, degrees, km/h; `marks` not 0: it is not believed. */
export interface CutPoint {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly marks: number;
  /** 0: the engine is off; null: nobody knows. */
  readonly engine: number | null;
}

/** Points nearer to each other than this say nothing more about the road, metres. */
const APART = 15;
/**
 * ms. Who stands longer than this, or with the engine off, has parked; who stands less waits in traffic,
 * which is part of driving. The same three minutes make a stop among the events.
 */
const PARKED = 180_000;
/** ms and metres between two points over which nobody knows what was driven. */
export const GAP = 120_000;
const FAR = 3_000;
/** Slower than this (km/h) a receiver's course is chance. */
const COURSE_SPEED = 8;
/** A drive is cut after so many points, so that it does not grow without bound. */
const MOST = 2_000;

/**
 * Cuts a track into drives, from one parking to the next, as its points come in their order, and leaves out
 * what says nothing.
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

  /**
   * Up to when (epoch ms) no point is needed any more: before the drive that has not ended, or the last
   * point.
   */
  get doneTill(): number | undefined {
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

  /** The drive is over, whatever comes. */
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
    // The wait is over at the last point at which it stood: what comes then is driven.
    if (this.#standing !== undefined && last && last.time > (this.#kept.at(-1)?.time ?? -Infinity)) this.#keep(last);
    this.#standing = undefined;
    this.#parked = false;
    const kept = this.#kept.at(-1);
    if (!kept || airDistance(kept, point) >= APART) this.#keep(point);
    if (this.#kept.length >= MOST) this.end();
  }

  #keep({ time, lat, lon, speed, direction }: CutPoint): void {
    // Devices that know no course say 0.
    this.#kept.push({ time, lat, lon, course: speed >= COURSE_SPEED && direction !== 0 ? direction : undefined });
  }
}
