import { DatabaseSync } from 'node:sqlite';
import { mayDo } from '../../../../shared/access.ts';
import { deadlineOf } from '../../../../shared/tasks/deadline.ts';
import type { EventRecord, HistoryEntry, Task } from '../../../../shared/records/index.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import type { ReportedVehicle, ReportOrder, ReportRow } from './report.ts';
import type { FuelChanges } from './track-rows.ts';

/** Reads events and tasks for reports, on a connection of its own. */
export class StationFile {
  readonly #db: DatabaseSync;
  readonly #order: ReportOrder;

  constructor(order: ReportOrder) {
    this.#order = order;
    this.#db = new DatabaseSync(order.station, { readOnly: true, timeout: 5000 });
  }

  /**
   * Events of some types that touch the period, or the time before it from `from` on, in the order in which
   * they began.
   */
  events(vehicleId: number, types: readonly number[], from = this.#order.from): EventRecord[] {
    const { till, tables } = this.#order;
    // By vehicle and end; `+` keeps SQLite from walking the events of all vehicles in the order of their
    // beginning instead.
    const one = (ends: string) =>
      `SELECT data, "from", key FROM ${tables.events} WHERE deleted = 0 AND vehicleId = :vehicleId AND ${ends} AND +"from" < :till AND json_extract(data, '$.type') IN (SELECT value FROM json_each(:types))`;
    const sql = `${one('until = 0')} UNION ALL ${one('until >= max(:from, 1)')} ORDER BY "from", key`;
    return this.#db
      .prepare(sql)
      .all({ vehicleId, till, from, types: JSON.stringify(types) })
      .map((row) => JSON.parse(row['data'] as string) as EventRecord);
  }

  /**
   * The time of a vehicle's first event; events stay when tracks are deleted. Events of tasks (types 18 to
   * 23) need no record, so they do not count.
   */
  heardSince(vehicleId: number): number | undefined {
    const sql = `SELECT seenAt FROM ${this.#order.tables.events} WHERE deleted = 0 AND vehicleId = ? AND json_extract(data, '$.type') NOT BETWEEN 18 AND 23 ORDER BY seenAt LIMIT 1`;
    return this.#db.prepare(sql).get(vehicleId)?.['seenAt'] as number | undefined;
  }

  /** Fills and drains of a vehicle (types 10 and 11). */
  changes(vehicleId: number, type: 10 | 11): FuelChanges {
    const found = this.events(vehicleId, [type]).filter(({ from }) => from >= this.#order.from);
    return { litres: found.reduce((sum, { data }) => sum + Number(data['litres'] ?? 0), 0), count: found.length };
  }

  /** The vehicles' tasks in the period that the requesting user may see, by vehicle and time. */
  *tasks(): Generator<ReportRow> {
    const { from, till, tables, actor, rules, vehicles, reviewSeconds, madeAt } = this.#order;
    const byId = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
    const sql = `SELECT data FROM ${tables.tasks} WHERE deleted = 0 AND isDeleted = 0 AND archived IN (0, 1) AND "date" >= ? AND "date" < ? AND json_extract(data, '$.assignedVehicleId') > 0`;
    const tasks: Task[] = [];
    for (const row of this.#db.prepare(sql).iterate(from, till)) {
      const task = JSON.parse(row['data'] as string) as Task;
      if (byId.has(task.assignedVehicleId) && mayDo(actor, 'view', task as never, rules)) tasks.push(task);
    }
    const place = new Map(vehicles.map(({ id }, index) => [id, index]));
    tasks.sort(
      (a, b) => place.get(a.assignedVehicleId)! - place.get(b.assignedVehicleId)! || a.date - b.date || a.id - b.id,
    );
    const history = this.#db.prepare(`SELECT data FROM ${tables.history} WHERE deleted = 0 AND taskId = ? ORDER BY at`);
    const arrivals = this.#db.prepare(
      `SELECT data FROM ${tables.events} WHERE deleted = 0 AND vehicleId = ? AND +"from" >= ? AND json_extract(data, '$.type') = 14 AND json_extract(data, '$.subject') = ? ORDER BY +"from" LIMIT 1`,
    );
    for (const task of tasks) {
      const { id, title, date, status, statusSince, assignedVehicleId } = task;
      const vehicle = byId.get(assignedVehicleId)!;
      const entries = history.all(id).map((row) => JSON.parse(row['data'] as string) as HistoryEntry);
      const assigned =
        entries.findLast(({ field, to }) => field === 'assignedVehicleId' && to === assignedVehicleId)?.at ?? date;
      const arrival = arrivals.get(assignedVehicleId, date, `request:${id}`);
      const done = status === DONE ? statusSince : null;
      const deadline = deadlineOf(task, { reviewSeconds: reviewSeconds[task.typeId] ?? 0 });
      yield {
        carId: vehicle.id,
        carName: vehicle.name,
        carNo: vehicle.plate,
        newsId: id,
        title,
        created: date,
        assigned,
        arrived: arrival ? (JSON.parse(arrival['data'] as string) as EventRecord).from : null,
        done,
        taken: done === null ? null : Math.max(0, Math.round((done - assigned) / 1000)),
        overdue: deadline !== undefined && (done ?? madeAt) > deadline,
      };
    }
  }

  close(): void {
    this.#db.close();
  }
}

/**
 * Rows of the reports over events, for one vehicle. Durations count only what lies in the period. What lasted
 * when the vehicle was deleted ends then.
 */
export function* eventRows(file: StationFile, vehicle: ReportedVehicle, order: ReportOrder): Generator<ReportRow> {
  const { id: carId, name: carName, plate: carNo, deletedAt } = vehicle;
  const end = Math.min(order.till, order.madeAt, deletedAt ?? Infinity);
  for (const event of file.events(carId, TYPES[order.kind as keyof typeof TYPES])) {
    const till = event.until === 0 ? deletedAt : event.until;
    const duration = Math.max(0, Math.round((Math.min(till ?? end, end) - Math.max(event.from, order.from)) / 1000));
    const row = { carId, carName, carNo, from: event.from, till, duration };
    if (order.kind === 'stops') yield { ...row, parking: event.info === 'parking', lat: event.lat, lon: event.lon };
    else if (order.kind === 'speeding')
      yield {
        ...row,
        limit: Number(event.data['limit'] ?? 0),
        topSpeed: Number(event.data['top'] ?? 0),
        lat: event.lat,
        lon: event.lon,
      };
    else
      yield {
        ...row,
        zoneId: Number(event.data['zoneId']),
        zoneName: event.info || (order.zones[Number(event.data['zoneId'])] ?? ''),
      };
  }
}

const TYPES = { stops: [1], speeding: [5], geozones: [6] } as const;
