import type { EventRecord } from '../../../shared/records/index.ts';
import { drivesOf, WAITED_FOR, type DrivenPoint, type Plan } from './drives.ts';
import type { StationFile } from './station-rows.ts';
import { rounded, type DrivenRoute, type ReportedVehicle, type ReportOrder, type ReportRow } from './report.ts';

const [CONTROL_POINT, JOINED] = [13, 16];
/** A drive lasts so long at most where nothing ends it (ms); what began earlier is not looked for. */
const LONGEST_DRIVE = 7 * 86_400_000;

/**
 * The control points of one vehicle in the period, by the time of their plan, or else of the visit: when it
 * was to be there, when it was, how late. Whoever is not there yet is late up to now, and has `missed` the
 * point when a later one was visited, when the drive is over, or after an hour of waiting. Of a time before
 * its first record nobody knows where the vehicle was, so nothing was missed then. Who comes after an edit is
 * held against the plan of the edited route, and where that has none, against the one whose time had come
 * before; who came before it, never against a plan that it gave.
 * @param heardSince time of the vehicle's first record; `Infinity`: there is none
 */
export function* controlRows(
  file: StationFile,
  vehicle: ReportedVehicle,
  heardSince: number,
  order: Pick<ReportOrder, 'from' | 'till' | 'madeAt' | 'routes'>,
): Generator<ReportRow> {
  const { from, till, madeAt } = order;
  const mine = order.routes.filter(({ vehicleIds }) => vehicleIds.includes(vehicle.id));
  const events = file.events(vehicle.id, [CONTROL_POINT, JOINED], from - LONGEST_DRIVE);
  const visits = events.filter(({ type }) => type === CONTROL_POINT);
  const visitsOf = Map.groupBy(visits, ({ subject }) => subject);
  const joined = events.filter(({ type }) => type === JOINED);
  const counted = new Set<EventRecord>();
  const rows: { at: number; row: ReportRow }[] = [];
  const add = (
    at: number,
    routeName: string,
    pointName: string,
    visit: EventRecord | undefined,
    planned: number | null = null,
    lateAt: number | null = null,
    missed = false,
  ) => {
    if (at < from || at >= till) return;
    const late = planned === null || lateAt === null ? null : rounded((lateAt - planned) / 60_000, 1);
    rows.push({
      at,
      row: {
        carId: vehicle.id,
        carName: vehicle.name,
        carNo: vehicle.plate,
        routeName,
        pointName,
        planned,
        arrived: visit?.from ?? null,
        left: visit ? visit.until || vehicle.deletedAt : null,
        late,
        missed,
      },
    });
  };
  for (const { routeId, routeName, points, ...drive } of drivesOf(mine, joined, vehicle.deletedAt ?? Infinity)) {
    const driven = points.map((point) => {
      const visit = visitsOf
        .get(subjectOf(routeId, point.id))
        ?.find((one) => !counted.has(one) && one.from < drive.till && (one.until === 0 || one.until >= drive.from));
      if (visit) counted.add(visit);
      return { point, visit, planned: visit ? planOf(point, Math.max(visit.from, drive.from)) : null };
    });
    const reached = Math.max(...driven.map(({ planned }) => planned ?? -Infinity));
    for (const { point, visit, planned } of driven) {
      if (visit) add(planned ?? visit.from, routeName, point.name, visit, planned, visit.from);
      for (const due of unvisited(point, visit, planned)) {
        if (due >= madeAt) continue;
        const known = heardSince < due;
        const missed = known && (due < reached || drive.ended <= madeAt || due + WAITED_FOR <= madeAt);
        add(due, routeName, point.name, undefined, due, known && !missed ? madeAt : null, missed);
      }
    }
  }
  // Visited again on the same drive, or on none.
  for (const visit of visits)
    if (!counted.has(visit)) add(visit.from, routeNameOf(visit, order.routes), visit.info, visit);
  for (const { row } of rows.sort((a, b) => a.at - b.at)) yield row;
}

/**
 * What the plan was at the time of a visit: of the version that held then, or else of the one before, when
 * its time had come before it was edited.
 */
function planOf({ plans }: DrivenPoint, at: number): number | null {
  const plan = plans.findLast(({ from }) => from <= at);
  return plan && (at < plan.till || cameDue(plan)) ? plan.planned : null;
}

/** The plans of a point whose time came and for which the vehicle was not there. */
function unvisited({ plans }: DrivenPoint, visit: EventRecord | undefined, planned: number | null): number[] {
  return plans
    .filter((plan, i) => {
      if (!cameDue(plan) || plan.planned === planned) return false;
      // Who was there before an edit need not come again for it.
      if (visit && visit.from < plan.from) return false;
      // It was put off while the vehicle was still waited for.
      const next = plans.slice(i + 1).find((other) => other.planned !== plan.planned);
      return !next || plan.planned + WAITED_FOR <= next.from;
    })
    .map((plan) => plan.planned);
}

/** What was edited before its time came is not due, nor what was put into a time that was over. */
function cameDue({ planned, from, till }: Plan): boolean {
  return planned >= from && planned < till;
}

/** As the events of control points say what they are about. */
function subjectOf(routeId: number, pointId: number): string {
  return `control:${routeId}.${pointId}`;
}

function routeNameOf({ data }: EventRecord, routes: readonly DrivenRoute[]): string {
  return routes.findLast(({ id }) => id === data['routeId'])?.name ?? '';
}
