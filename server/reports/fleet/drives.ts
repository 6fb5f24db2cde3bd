import type { EventRecord } from '../../../shared/records/index.ts';
import type { DrivenRoute } from './report.ts';

/**
 * A vehicle is waited for so long after the time of the plan (ms), unless it is known before that it will not
 * come.
 */
export const WAITED_FOR = 3_600_000;

/**
 * A time at which a vehicle is to be at a control point, as one version of the route says. Times in epoch ms.
 */
export interface Plan {
  readonly planned: number;
  /** Within which that version holds. */
  readonly from: number;
  readonly till: number;
}

/**
 * A control point of a drive, with its plans in the order of the versions; none: it is to be visited at any
 * time.
 */
export interface DrivenPoint {
  readonly id: number;
  readonly name: string;
  readonly plans: readonly Plan[];
}

/**
 * One time that a vehicle is to drive, or drove, a route, through all edits of it that came meanwhile. Times
 * in epoch ms.
 */
export interface Drive {
  readonly routeId: number;
  readonly routeName: string;
  readonly points: readonly DrivenPoint[];
  /** Within which a visit is one of this drive. */
  readonly from: number;
  readonly till: number;
  /** When it was over: nobody waits any more. */
  readonly ended: number;
}

/** The part of a drive for which one version of the route held. `begin`: what its plans count from. */
interface Leg {
  readonly route: DrivenRoute;
  readonly begin: number;
  readonly ended: number;
}

/**
 * The drives of one vehicle. A route with a beginning of its own is driven once, any other one whenever the
 * vehicle joins it; an edit after that beginning goes on with the same drive, and one that puts the beginning
 * off for longer than the vehicle is waited for makes another.
 * @param versions of the vehicle's routes, those of a route in the order of their times
 * @param joined when the vehicle joined its routes (events of type 16)
 * @param gone when the vehicle was deleted; Infinity: it is there
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
 * Whether a leg that was under way when its version began goes on with another one: by the same beginning, or
 * by one that was corrected while the vehicle was waited for.
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
