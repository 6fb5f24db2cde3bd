import type { EventRecord } from '../../../shared/records/index.ts';
import type { StationFile } from './station-rows.ts';
import { rounded, type DrivenRoute, type ReportedVehicle, type ReportOrder, type ReportRow } from './report.ts';

const [CONTROL_POINT, JOINED] = [13, 16];
/** A drive lasts so long at most where nothing ends it (ms); what began earlier is not looked for. */
const LONGEST_DRIVE = 7 * 86_400_000;

/** A vehicle is waited for so long after the time of the plan (ms), unless it is known before that it will not come. */
const WAITED_FOR = 3_600_000;

/** One time that a vehicle is to drive, or drove, a route. Times in epoch ms. */
interface Drive {
  readonly route: DrivenRoute;
  /** What the plan of the points counts from. */
  readonly begin: number;
  /** When it was over; the vehicle may come up to then, also when the route is edited meanwhile. */
  readonly ended: number;
  /** Within which a visit is one of this drive. */
  readonly from: number;
  readonly till: number;
}

/**
 * The control points of one vehicle in the period, by the time of their plan, or else of the visit: when it was to be there, when it was, how late. Whoever is
 * not there yet is late up to now, and has `missed` the point when a later one was visited, when the drive is over, or after an hour of waiting. Of a time before
 * its first record nobody knows where the vehicle was, so nothing was missed then. A route with a beginning of its own is driven once; any other one whenever the vehicle joins it.
 * @param heardSince time of the vehicle's first record; `Infinity`: there is none
 */
export function* controlRows(file: StationFile, vehicle: ReportedVehicle, heardSince: number, order: Pick<ReportOrder, 'from' | 'till' | 'madeAt' | 'routes'>): Generator<ReportRow> {
  const { from, till, madeAt } = order;
  const mine = order.routes.filter(({ vehicleIds }) => vehicleIds.includes(vehicle.id));
  const events = file.events(vehicle.id, [CONTROL_POINT, JOINED], from - LONGEST_DRIVE);
  const visits = events.filter(({ type }) => type === CONTROL_POINT);
  const visitsOf = Map.groupBy(visits, ({ subject }) => subject);
  const joined = events.filter(({ type }) => type === JOINED);
  const counted = new Set<EventRecord>();
  const rows: { at: number; row: ReportRow }[] = [];
  const add = (at: number, routeName: string, pointName: string, visit: EventRecord | undefined, planned: number | null = null, lateAt: number | null = null, missed = false) => {
    if (at < from || at >= till) return;
    const late = planned === null || lateAt === null ? null : rounded((lateAt - planned) / 60_000, 1);
    rows.push({ at, row: { carId: vehicle.id, carName: vehicle.name, carNo: vehicle.plate, routeName, pointName, planned, arrived: visit?.from ?? null, left: visit?.till || null, late, missed } });
  };
  for (const { route, begin, ...drive } of drivesOf(mine, joined)) {
    const points = route.points.map((point) => {
      const visit = visitsOf.get(subjectOf(route.id, point.id))?.find((one) => !counted.has(one) && one.from < drive.till && (one.till === 0 || one.till >= drive.from));
      if (visit) counted.add(visit);
      return { name: point.name, planned: point.arriveAfter === null ? null : begin + point.arriveAfter * 1000, visit };
    });
    const reached = Math.max(...points.map(({ planned, visit }) => (visit && planned) ?? -Infinity));
    for (const { name, planned, visit } of points) {
      if (visit) add(planned ?? visit.from, route.name, name, visit, planned, visit.from);
      // What was edited before its time came is not due.
      else if (planned !== null && planned < madeAt && planned >= route.validFrom && planned < (route.validTill ?? Infinity)) {
        const known = heardSince < planned;
        const missed = known && (planned < reached || drive.ended <= madeAt || planned + WAITED_FOR <= madeAt);
        add(planned, route.name, name, undefined, planned, known && !missed ? madeAt : null, missed);
      }
    }
  }
  // Visited again on the same drive, or on none.
  for (const visit of visits) if (!counted.has(visit)) add(visit.from, routeNameOf(visit, order.routes), visit.info, visit);
  for (const { row } of rows.sort((a, b) => a.at - b.at)) yield row;
}

function drivesOf(routes: readonly DrivenRoute[], joined: readonly EventRecord[]): Drive[] {
  return routes.flatMap((route): Drive[] => {
    const drive = (begin: number, left: number): Drive => {
      const ended = Math.min(left, route.till ?? Infinity);
      return { route, begin, ended, from: Math.max(begin, route.validFrom), till: Math.min(ended, route.validTill ?? Infinity) };
    };
    const drives = route.from !== null ? [drive(route.from, Infinity)] : joined.filter(({ subject }) => subject === `route:${route.id}`).map(({ from, till }) => drive(from, till === 0 ? Infinity : till));
    return drives.filter(({ from, till }) => from < till);
  });
}

/** As the events of control points say what they are about. */
function subjectOf(routeId: number, pointId: number): string {
  return `control:${routeId}.${pointId}`;
}

function routeNameOf({ data }: EventRecord, routes: readonly DrivenRoute[]): string {
  return routes.findLast(({ id }) => id === data['routeId'])?.name ?? '';
}
