import {
  DETECTORS,
  EMPTY_CONTEXT,
  EventEngine,
  type RawPoint,
  type VehicleContext,
} from '../../../../../server/tracking/events/index.ts';
import { MapMemory, MapTrack } from '../memory.ts';

export const METRE = 1 / 111_195;

export const east = (metres: number) => 37 + (metres * METRE) / Math.cos((55 * Math.PI) / 180);

export const north = (metres: number) => 55 + metres * METRE;

/** A point some seconds after the start, some metres east of the origin; driving unless told otherwise. */
export const at = (second: number, metresEast: number, more: Partial<RawPoint> = {}): RawPoint => ({
  time: second * 1000,
  lat: 55,
  lon: east(metresEast),
  speed: 40,
  direction: 90,
  fixed: true,
  inputs: 0,
  adc: [],
  params: {},
  ...more,
});

/** What happened on this track, as `[type, from, till]` in seconds; `until` is null while it lasts. */
export function happened(
  points: readonly RawPoint[],
  context: Partial<VehicleContext> = {},
  types?: number[],
  now = points.at(-1)!.time,
): [number, number, number | null][] {
  return told(points, context, now)
    .filter(({ type }) => !types || types.includes(type))
    .map(({ type, from, until }) => [type, from / 1000, until === null ? null : until / 1000]);
}

export function told(points: readonly RawPoint[], context: Partial<VehicleContext> = {}, now = points.at(-1)!.time) {
  const memory = new MapMemory();
  const track = new MapTrack();
  for (const point of points) track.insert(point as never);
  const engine = new EventEngine(DETECTORS, memory, (_vehicle, after) => track.after(after));
  const whole = { ...EMPTY_CONTEXT, ...context };
  memory.save(engine.revise(1, { from: points[0]!.time, until: points.at(-1)!.time }, whole, points.at(-1)!.time));
  memory.save(engine.watch(1, points.at(-1)!.time, whole, now));
  return memory.sorted();
}

export const always = { validFrom: 0, validUntil: null };

export const every = (step: number, until: number, point: (second: number) => RawPoint) =>
  Array.from({ length: Math.floor(until / step) + 1 }, (_, i) => point(i * step));
