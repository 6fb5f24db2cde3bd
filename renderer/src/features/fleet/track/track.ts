import { airDistance } from '../../../../../shared/geo/geometry.ts';
import { TRACK_GAP_MS } from '../../../../../shared/events/track-gap.ts';

/**
 * One record of a track as the station sends it. `marks` say why a point is implausible; epoch ms, degrees,
 * km/h, metres.
 */
export interface DrawnTrackPoint {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly height: number;
  readonly marks: readonly string[];
}

/** Slower is standing. */
const STANDING_KMH = 3;
const METRES = 1_000; // in a kilometre

/** Upper limits of the speed bands in km/h; faster belongs to the last band. */
export const SPEED_BANDS = [STANDING_KMH, 20, 40, 60, 90] as const;

/** The band of the scale that a speed belongs to: 0 standing, up to `SPEED_BANDS.length`. */
export function speedBand(kmh: number): number {
  const band = SPEED_BANDS.findIndex((limit) => kmh <= limit);
  return band < 0 ? SPEED_BANDS.length : band;
}

export interface Gap {
  readonly from: number;
  readonly till: number;
}

/** Where the vehicle was at one moment. */
export interface Moment {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly height: number;
  /** The moment lies in a gap: this is the place before it, and where the vehicle was is not known. */
  readonly gap: Gap | undefined;
}

export interface Driven {
  /** km */
  readonly distance: number;
  /** km/h */
  readonly greatest: number;
  /** ms in which positions came, moving and standing */
  readonly moving: number;
  readonly standing: number;
  /** ms of all gaps */
  readonly unknown: number;
}

/** Track of one vehicle in a period: plausible points in the order of time, and separately the implausible ones. */
export class Track {
  readonly points: readonly DrawnTrackPoint[];
  readonly doubtful: readonly DrawnTrackPoint[];
  readonly gaps: readonly Gap[];

  /**
   * @param lost the gaps that the station knows, for a thinned track, whose points may be far apart without a
   * gap
   */
  constructor(all: readonly DrawnTrackPoint[], lost?: readonly Gap[]) {
    this.points = all.filter((point) => point.marks.length === 0);
    this.doubtful = all.filter((point) => point.marks.length > 0);
    this.gaps =
      lost ??
      this.points
        .slice(1)
        .flatMap((point, index) =>
          point.time - this.points[index]!.time > TRACK_GAP_MS
            ? [{ from: this.points[index]!.time, till: point.time }]
            : [],
        );
  }

  get from(): number | undefined {
    return this.points[0]?.time;
  }

  get till(): number | undefined {
    return this.points.at(-1)?.time;
  }

  /** The last point at or before a time, or -1. */
  indexAt(time: number): number {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.points[middle]!.time <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * Where the vehicle was, on the straight way between two points; never beyond the last or before the first
   * of them.
   */
  at(time: number): Moment | undefined {
    const index = this.indexAt(time);
    const before = this.points[Math.max(0, index)];
    if (!before) return undefined;
    const after = index < 0 ? undefined : this.points[index + 1];
    const { lat, lon, speed, direction, height } = before;
    if (!after) return { time, lat, lon, speed, direction, height, gap: undefined };
    const gap = this.gapAt(time);
    if (gap) return { time, lat, lon, speed, direction, height, gap };
    const share = (time - before.time) / (after.time - before.time);
    const between = (one: number, other: number) => one + (other - one) * share;
    return {
      time,
      lat: between(lat, after.lat),
      lon: between(lon, after.lon),
      speed: between(speed, after.speed),
      direction,
      height: between(height, after.height),
      gap: undefined,
    };
  }

  /** The gap that a moment lies in, its ends not included. */
  gapAt(time: number): Gap | undefined {
    return this.gaps.find(({ from, till }) => time > from && time < till);
  }

  /** Whether nothing is known of the time between two neighbouring points. */
  isGap(one: DrawnTrackPoint, next: DrawnTrackPoint): boolean {
    return next.time - one.time > TRACK_GAP_MS && this.gapAt((one.time + next.time) / 2) !== undefined;
  }

  /** Of `from` to `till`; gaps count neither as a way nor as a time of driving. */
  driven(from: number, till: number): Driven {
    let [distance, greatest, moving, standing, unknown] = [0, 0, 0, 0, 0];
    for (let index = Math.max(0, this.indexAt(from)); index < this.points.length; index++) {
      const point = this.points[index]!;
      if (point.time > till) break;
      if (point.time < from) continue;
      greatest = Math.max(greatest, point.speed);
      const before = this.points[index - 1];
      if (!before || before.time < from) continue;
      const lasted = point.time - before.time;
      if (this.isGap(before, point)) unknown += lasted;
      else {
        distance += airDistance(before, point) / METRES;
        if (before.speed > STANDING_KMH || point.speed > STANDING_KMH) moving += lasted;
        else standing += lasted;
      }
    }
    return { distance, greatest, moving, standing, unknown };
  }
}

/** Values over time, for a plot. NaN: not known, and no line is drawn over it. */
export interface Series {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A series of one value of each point; a gap of the track is one of the series. */
export function seriesOf(track: Track, value: (point: DrawnTrackPoint) => number): Series {
  const times: number[] = [];
  const values: number[] = [];
  track.points.forEach((point, index) => {
    const before = track.points[index - 1];
    if (before && track.isGap(before, point)) {
      times.push((before.time + point.time) / 2);
      values.push(NaN);
    }
    times.push(point.time);
    values.push(value(point));
  });
  return { times: Float64Array.from(times), values: Float64Array.from(values) };
}
