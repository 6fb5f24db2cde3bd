import type { VehicleContext } from '../context/vehicle-context.ts';

/** One record of a vehicle's track, as its events see it. Times in epoch ms, speed in km/h, degrees. */
export interface Point {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  /** degrees clockwise from north */
  readonly direction: number;
  /**
   * Whether the position is to be believed: the device says that it has one, and it can be reached from the
   * one before. A point that is not believed can still carry an alarm or a change of an input.
   */
  readonly fixed: boolean;
  /** Digital inputs, one bit each. */
  readonly inputs: number;
  readonly adc: readonly number[];
  readonly params: Readonly<Record<string, number | string | boolean>>;
}

/** A point as it was recorded: a device may say no speed, and then the way from the point before it tells. */
export type RawPoint = Omit<Point, 'speed'> & { readonly speed: number | null };

/**
 * What happened to a vehicle from one moment to another. `until` is null while it lasts. The same vehicle,
 * type, subject and beginning are the same event: reported again, it is that event with other content.
 */
export interface Interval {
  readonly type: number;
  /** What it is about besides the vehicle, such as `zone:7`; empty when there is nothing. */
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

export type Report = (interval: Interval) => void;

/**
 * Finds one family of events in an ordered track. A fold: the state after a point depends on the state before
 * it, the point, and the context as it was at that time, on nothing else. So the events of a track are the same
 * however its points arrived.
 *
 * A state is plain JSON and is never changed, only replaced. It stays small, and it forgets: soon after two
 * different history the same points lead to the same state. That is what makes a late record cheap.
 */
export interface Detector<State> {
  readonly name: string;
  readonly start: State;
  /** `previous` is the believed point before this one, or null. */
  step(state: State, point: Point, previous: Point | null, context: VehicleContext, report: Report): State;
  /** The intervals that last in this state, as they were last reported. */
  lasting(state: State): readonly Interval[];
  /** What else lasts at `now` when no further point has come since: reported until a point says otherwise. */
  silence?(state: State, now: number, context: VehicleContext): readonly Interval[];
}
