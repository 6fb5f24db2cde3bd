import type { VehicleContext } from '../context/vehicle-context.ts';

/** One record of a vehicle's track, as detectors see it. Times in epoch ms, speed in km/h, degrees. */
export interface Point {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  /** degrees clockwise from north */
  readonly direction: number;
  /**
   * Whether the position is plausible: the device has a fix, and the position can be reached from the one
   * before. Other points can still carry an alarm or a change of an input.
   */
  readonly fixed: boolean;
  /** Digital inputs, one bit each. */
  readonly inputs: number;
  readonly adc: readonly number[];
  readonly params: Readonly<Record<string, number | string | boolean>>;
}

/** A point as recorded: without a speed, the way from the point before gives it. */
export type RawPoint = Omit<Point, 'speed'> & { readonly speed: number | null };

/**
 * An event of a vehicle over a period. `until` is null while it lasts. Vehicle, type, subject and start
 * identify it: reported again, it is the same event with new content.
 */
export interface Interval {
  readonly type: number;
  /** The subject besides the vehicle, such as `zone:7`; else empty. */
  readonly subject: string;
  readonly from: number;
  readonly until: number | null;
  /** Where it began. */
  readonly lat: number;
  readonly lon: number;
  /** In words, for the operator. */
  readonly info: string;
  /** Figures for programs. */
  readonly data: Readonly<Record<string, number | string | boolean>>;
}

export type ReportInterval = (interval: Interval) => void;

/**
 * Finds one family of events in an ordered track, as a fold: the state after a point depends only on the
 * state before it, the point, and the context at that time. So the events of a track do not depend on the
 * order of arrival.
 *
 * A state is plain JSON, replaced and never changed. It stays small and forgets: soon after two different
 * histories the same points lead to the same state, which makes late records cheap.
 */
export interface Detector<State> {
  readonly name: string;
  readonly start: State;
  /** `previous` is the plausible point before this one, or null. */
  step(state: State, point: Point, previous: Point | null, context: VehicleContext, report: ReportInterval): State;
  /** The lasting intervals of this state, as last reported. */
  lasting(state: State): readonly Interval[];
  /** Further intervals that last at `now` without a further point: reported until a point contradicts. */
  silence?(state: State, now: number, context: VehicleContext): readonly Interval[];
}
