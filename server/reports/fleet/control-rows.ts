import type { EventRecord } from '../../../shared/records/index.ts';
import type { StationFile } from './station-rows.ts';
import { rounded, type DrivenRoute, type ReportedVehicle, type ReportOrder, type ReportRow } from './report.ts';

const [CONTROL_POINT, JOINED] = [13, 16];
/** A drive lasts so long at most where nothing ends it (ms); what began earlier is not looked for. */
const LONGEST_DRIVE = 7 * 86_400_000;

/** One time that a vehicle is to drive, or drove, a route. Times in epoch ms. */
interface Drive {
  readonly route: DrivenRoute;
  /** What the plan of the points counts from. */
  readonly begin: number;
  /** Within which a visit is one of this drive. */
  readonly from: number;
  readonly till: number;
}

/**
 * The control points of one vehicle in the period, by the time of their plan, or else of the visit: when it was to be there, when it was, how late. A point
 * whose time is over and that was not visited is `missed`. A route with a beginning of its own is driven once; any other one whenever the vehicle joins it.
 */
export function* controlRows(file: StationFile, vehicle: ReportedVehicle, order: Pick<ReportOrder, 'from' | 'till' | 'madeAt' | 'routes'>): Generator<ReportRow> {
  const { from, till, madeAt } = order;
  const mine = order.routes.filter(({ vehicleIds }) => vehicleIds.includes(vehicle.id));
  const events = file.events(vehicle.id, [CONTROL_POINT, JOINED], from - LONGEST_DRIVE);
  const visits = events.filter(({ type }) => type === CONTROL_POINT);
  const visitsOf = Map.groupBy(visits, ({ subject }) => subject);
  const joined = events.filter(({ type }) => type === JOINED);
  const counted = new Set<EventRecord>();
  const rows: { at: number; row: ReportRow }[] = [];
  const add = (at: number, routeName: string, pointName: string, planned: number | null, visit: EventRecord | undefined) => {
    if (at < from || at >= till) return;
    const late = planned === null || !visit ? null : rounded((visit.from - planned) / 60_000, 1);
    const row = { carId: vehicle.id, carName: vehicle.name, carNo: vehicle.plate, routeName, pointName, planned, arrived: visit?.from ?? null, left: visit?.till || null, late, missed: planned !== null && !visit };
    rows.push({ at, row });
  };
  for (const { route, begin, ...drive } of drivesOf(mine, joined)) {
    for (const point of route.points) {
      const planned = point.arriveAfter === null ? null : begin + point.arriveAfter * 1000;
      const visit = visitsOf.get(subjectOf(route.id, point.id))?.find((one) => !counted.has(one) && one.from < drive.till && (one.till === 0 || one.till >= drive.from));
      if (visit) counted.add(visit);
      // What was edited before its time came is not missed.
      const due = planned !== null && planned < madeAt && planned >= route.validFrom && planned < (route.validTill ?? Infinity);
      if (visit || due) add(planned ?? visit!.from, route.name, point.name, planned, visit);
    }
  }
  // Visited again on the same drive, or on none.
  for (const visit of visits) if (!counted.has(visit)) add(visit.from, routeNameOf(visit, order.routes), visit.info, null, visit);
  for (const { row } of rows.sort((a, b) => a.at - b.at)) yield row;
}

function drivesOf(routes: readonly DrivenRoute[], joined: readonly EventRecord[]): Drive[] {
  return routes.flatMap((route): Drive[] => {
    const drive = (begin: number, ended: number): Drive => ({ route, begin, from: Math.max(begin, route.validFrom), till: Math.min(ended, route.validTill ?? Infinity, route.till ?? Infinity) });
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
