import type { EventSettings } from '../../../../shared/records/index.ts';
import type { Detector, RawPoint } from '../detectors/detector.ts';
import { EventEngine, sameEvent, type VehicleEvent } from '../fold/engine.ts';
import type { VehicleContext } from '../context/vehicle-context.ts';

/** The tracks to replay, and the thresholds to try. */
export interface ReplayRequest {
  readonly vehicles: readonly { readonly id: number; readonly context: VehicleContext }[];
  readonly from: number;
  readonly until: number;
  /** The differences from the thresholds in force. */
  readonly change: Partial<EventSettings>;
  /** Whose thresholds are tried: with those of an organization, a vehicle's own stay in force. */
  readonly of: 'organization' | 'vehicle';
}

/** `created`: only with the change; `withdrawn`: only without it; `changed`: with both, but different. */
export interface ReplayedEvent {
  readonly change: 'created' | 'changed' | 'withdrawn';
  readonly before: VehicleEvent | null;
  readonly after: VehicleEvent | null;
}

export interface ReplayReport {
  readonly records: number;
  /** Numbers of events by type. */
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
  readonly differing: number;
  /** The first of them, by vehicle and time. */
  readonly events: readonly ReplayedEvent[];
}

/** The fold begins this many ms before the period, so that events that last into it are found. */
const RUN_UP = 24 * 3_600_000;
/** Most differing events that are listed. */
const MAX_NAMED = 1_000;
/** Records of one vehicle between two reports of progress. */
const REPORT_EVERY = 20_000;
/** Records of all vehicles together: about a minute of work. */
export const MAX_RECORDS = 2_000_000;

/**
 * Compares the events of tracks under other thresholds with those under the thresholds in force. Both are
 * computed from the same records, so that only the thresholds differ. Throws `TooManyRecords`.
 * @param track the points of a vehicle in a period, in order
 * @param report called now and then with the share done, 0 to 1
 */
export function replay(
  { vehicles, from, until, change, of }: ReplayRequest,
  detectors: readonly Detector<never>[],
  track: (vehicleId: number, from: number, until: number) => Iterable<RawPoint>,
  report: (done: number) => void = () => {},
): ReplayReport {
  const counts = { before: new Map<number, number>(), after: new Map<number, number>() };
  const events: ReplayedEvent[] = [];
  let [records, differing] = [0, 0];
  for (const [index, { id, context }] of vehicles.entries()) {
    report(index / vehicles.length);
    const points: RawPoint[] = [];
    for (const point of track(id, from - RUN_UP, until)) {
      if (++records > MAX_RECORDS) throw new TooManyRecords();
      points.push(point);
      // Reading counts as half of the work.
      if (points.length % REPORT_EVERY === 0)
        report((index + (0.5 * (point.time - from + RUN_UP)) / (until - from + RUN_UP)) / vehicles.length);
    }
    const touches = (event: VehicleEvent) => event.from <= until && (event.until === null || event.until >= from);
    const eventsIn = (surroundings: VehicleContext) =>
      new Map(
        foldTrack(id, points, detectors, surroundings, until)
          .filter(touches)
          .map((event) => [event.id, event]),
      );
    const [before, after] = [eventsIn(context), eventsIn(changedContext(context, change, of))];
    for (const { type } of before.values()) counts.before.set(type, (counts.before.get(type) ?? 0) + 1);
    for (const { type } of after.values()) counts.after.set(type, (counts.after.get(type) ?? 0) + 1);
    const its = [...new Set([...before.keys(), ...after.keys()])].flatMap((event) =>
      difference(before.get(event), after.get(event)),
    );
    differing += its.length;
    its.sort((a, b) => (a.after ?? a.before!).from - (b.after ?? b.before!).from);
    events.push(...its.slice(0, MAX_NAMED - events.length));
  }
  return {
    records,
    before: Object.fromEntries(counts.before),
    after: Object.fromEntries(counts.after),
    differing,
    events,
  };
}

export class TooManyRecords extends Error {}

/** All events of a span of a track, with those that last at its end. */
function foldTrack(
  vehicleId: number,
  points: readonly RawPoint[],
  detectors: readonly Detector<never>[],
  context: VehicleContext,
  now: number,
): readonly VehicleEvent[] {
  const first = points[0];
  if (!first) return [];
  const nothing = {
    checkpointBefore: () => undefined,
    checkpointsAfter: () => [],
    eventsSeen: () => [],
    event: () => undefined,
  };
  const engine = new EventEngine(detectors, nothing, () => points, Infinity);
  return engine.revise(vehicleId, { from: first.time, until: points.at(-1)!.time }, context, now).created;
}

function changedContext(
  context: VehicleContext,
  change: Partial<EventSettings>,
  of: ReplayRequest['of'],
): VehicleContext {
  const changed = (settings: EventSettings, own: Partial<EventSettings> = {}): EventSettings => ({
    ...settings,
    ...change,
    ...(of === 'organization' ? own : {}),
  });
  return {
    ...context,
    settings: changed(context.settings),
    measures: (context.measures ?? []).map((measures) => ({
      ...measures,
      settings: changed(measures.settings, measures.own),
    })),
  };
}

function difference(before: VehicleEvent | undefined, after: VehicleEvent | undefined): ReplayedEvent[] {
  if (!before) return [{ change: 'created', before: null, after: after! }];
  if (!after) return [{ change: 'withdrawn', before, after: null }];
  // A different first record is no difference for users.
  return sameEvent({ ...before, seenAt: after.seenAt }, after) ? [] : [{ change: 'changed', before, after }];
}
