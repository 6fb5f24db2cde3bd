import type { EventRecord } from '../../../../shared/records/index.ts';
import { drivesOf, WAITED_FOR, type DrivenPoint, type Plan } from './drives.ts';
import type { StationFile } from './station-rows.ts';
import { rounded, type DrivenRoute, type ReportedVehicle, type ReportOrder, type ReportRow } from './report.ts';

const [CONTROL_POINT, JOINED] = [13, 16];
/** The longest drive, ms; earlier starts are not looked for. */
const LONGEST_DRIVE = 7 * 86_400_000;

/**
 * The control points of one vehicle in the period, by planned time, or by visit without one: planned,
 * visited, late, missed (README rules 7 to 9). A vehicle that is not there yet is late up to now.
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
 * The plan for a visit: of the version valid then, or of an earlier one whose time had come before the edit
 * (README rule 8).
 */
function planOf({ plans }: DrivenPoint, at: number): number | null {
  const plan = plans.findLast(({ from }) => from <= at);
  return plan && (at < plan.till || cameDue(plan)) ? plan.planned : null;
}

/** The plans of a point whose time came without a visit. */
function unvisited({ plans }: DrivenPoint, visit: EventRecord | undefined, planned: number | null): number[] {
  return plans
    .filter((plan, i) => {
      if (!cameDue(plan) || plan.planned === planned) return false;
      // A visit before an edit counts.
      if (visit && visit.from < plan.from) return false;
      // It was put off while the vehicle was still waited for.
      const next = plans.slice(i + 1).find((other) => other.planned !== plan.planned);
      return !next || plan.planned + WAITED_FOR <= next.from;
    })
    .map((plan) => plan.planned);
}

/** A plan is not due when it was edited before its time, or made after its time. */
function cameDue({ planned, from, till }: Plan): boolean {
  return planned >= from && planned < till;
}

/** As the events of control points name their subject. */
function subjectOf(routeId: number, pointId: number): string {
  return `control:${routeId}.${pointId}`;
}

function routeNameOf({ data }: EventRecord, routes: readonly DrivenRoute[]): string {
  return routes.findLast(({ id }) => id === data['routeId'])?.name ?? '';
}
