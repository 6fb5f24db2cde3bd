import type { EventRecord } from '../../../../shared/records/index.ts';
import type { DrivenRoute } from './report.ts';

/**
 * ms after the planned time for which a vehicle is waited for, unless it is known before that it will not
 * come.
 */
export const WAITED_FOR = 3_600_000;

/** The planned time at a control point by one version of the route, epoch ms. */
export interface Plan {
  readonly planned: number;
  /** Within which that version holds. */
  readonly from: number;
  readonly till: number;
}

/**
 * A control point of a drive, with its plans in the order of the versions. Without plans it may be visited at
 * any time.
 */
export interface DrivenPoint {
  readonly id: number;
  readonly name: string;
  readonly plans: readonly Plan[];
}

/**
 * One planned or real drive of a route by a vehicle, across the edits of the route in between. Times in epoch
 * ms.
 */
export interface Drive {
  readonly routeId: number;
  readonly routeName: string;
  readonly points: readonly DrivenPoint[];
  /** Within which a visit is one of this drive. */
  readonly from: number;
  readonly till: number;
  /** The end of the drive, after which the vehicle is not waited for. */
  readonly ended: number;
}

/** The part of a drive in which one version of the route applied. `begin`: the start of its schedule. */
interface Leg {
  readonly route: DrivenRoute;
  readonly begin: number;
  readonly ended: number;
}

/**
 * The drives of one vehicle. A route with a start time is driven once; any other route whenever the vehicle
 * joins it (README rules 8 to 10).
 * @param versions of the vehicle's routes, those of one route in the order of their times
 * @param joined when the vehicle joined its routes (events of type 16)
 * @param gone when the vehicle was deleted; Infinity: it is not
 */
export function drivesOf(versions: readonly DrivenRoute[], joined: readonly EventRecord[], gone: number): Drive[] {
  return [...Map.groupBy(versions, ({ id }) => id).values()].flatMap((its) => {
    const drives: Leg[][] = [];
    for (const leg of its.flatMap((route) => legsOf(route, joined, gone))) {
      const goesOn = drives.findLast((legs) => isSameDrive(legs.at(-1)!, leg));
      if (goesOn) goesOn.push(leg);
      else drives.push([leg]);
    }
    drives.sort((a, b) => fromOf(a) - fromOf(b));
    return drives.map((legs, i) => driveOf(legs, drives[i + 1] ? fromOf(drives[i + 1]!) : Infinity, gone));
  });
}

function legsOf(route: DrivenRoute, joined: readonly EventRecord[], gone: number): Leg[] {
  const leg = (begin: number, left: number): Leg => ({
    route,
    begin,
    ended: Math.min(left, route.till ?? Infinity, gone),
  });
  const legs =
    route.from !== null
      ? [leg(route.from, Infinity)]
      : joined
          .filter(({ subject }) => subject === `route:${route.id}`)
          .map(({ from, until }) => leg(from, until === 0 ? Infinity : until));
  return legs.filter(
    ({ begin, ended }) => Math.max(begin, route.validFrom) < Math.min(ended, route.validTill ?? Infinity),
  );
}

/**
 * Whether a leg continues under the next version: it has the same start, or one that was corrected while the
 * vehicle was waited for.
 */
function isSameDrive(before: Leg, { route, begin }: Leg): boolean {
  if (before.ended <= route.validFrom) return false;
  if (before.begin === begin) return true;
  const isPlanned = before.route.from !== null || route.from !== null;
  return (
    isPlanned &&
    begin <
      before.begin + Math.max(0, ...before.route.points.map(({ arriveAfter }) => arriveAfter ?? 0)) * 1000 + WAITED_FOR
  );
}

function fromOf([first]: readonly Leg[]): number {
  return Math.max(first!.begin, first!.route.validFrom);
}

function driveOf(legs: readonly Leg[], next: number, gone: number): Drive {
  const { route, ended } = legs.at(-1)!;
  const points = new Map<number, { id: number; name: string; plans: Plan[] }>();
  for (const {
    route: { validFrom, validTill, points: its },
    begin,
  } of legs) {
    for (const { id, name, arriveAfter } of its) {
      const point = { id, name, plans: points.get(id)?.plans ?? [] };
      if (arriveAfter !== null)
        point.plans.push({
          planned: begin + arriveAfter * 1000,
          from: validFrom,
          till: Math.min(validTill ?? Infinity, gone),
        });
      points.set(id, point);
    }
  }
  return {
    routeId: route.id,
    routeName: route.name,
    points: [...points.values()],
    from: fromOf(legs),
    till: Math.min(ended, next),
    ended,
  };
}
