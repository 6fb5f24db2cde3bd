import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../store/types.ts';
import type { ReportSchedule, ScheduleFields, ScheduleRun } from './schedule.ts';

/** The schedules as the database holds them. Those of older programs have no `uid` yet. */
export function readSchedules({ sql, stationId }: Pick<Store, 'sql' | 'stationId'>): ReportSchedule[] {
  return sql
    .prepare('SELECT * FROM report_schedules ORDER BY id')
    .all()
    .map((row) => ({
      uid: `${stationId}-${row['id']}`,
      ...(JSON.parse(String(row['fields'])) as ScheduleFields & Partial<Pick<ReportSchedule, 'uid'>>),
      id: Number(row['id']),
      organizationId: Number(row['organization_id']),
      ownerId: Number(row['owner_id']),
      since: Number(row['since']),
      coveredUntil: Number(row['covered_until']),
      last: row['last'] === null ? null : (JSON.parse(String(row['last'])) as ScheduleRun),
    }));
}

export function insertSchedule(sql: DatabaseSync, schedule: Omit<ReportSchedule, 'id'>): number {
  const { lastInsertRowid } = sql
    .prepare(
      'INSERT INTO report_schedules (organization_id, owner_id, fields, since, covered_until, last) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(...valuesOf(schedule));
  return Number(lastInsertRowid);
}

export function updateSchedule(sql: DatabaseSync, schedule: ReportSchedule): void {
  sql
    .prepare(
      'UPDATE report_schedules SET organization_id = ?, owner_id = ?, fields = ?, since = ?, covered_until = ?, last = ? WHERE id = ?',
    )
    .run(...valuesOf(schedule), schedule.id);
}

function valuesOf(schedule: Omit<ReportSchedule, 'id'>): (string | number | null)[] {
  const { organizationId, ownerId, since, coveredUntil, last } = schedule;
  const fields = JSON.stringify({ ...scheduleFields(schedule), uid: schedule.uid });
  return [organizationId, ownerId, fields, since, coveredUntil, last && JSON.stringify(last)];
}

export function scheduleFields(fields: ScheduleFields): ScheduleFields {
  const { name, report, form, language, vehicleIds, groupIds, addresses, userIds, isPaused } = fields;
  const { every, day, minute, zone } = fields;
  return { name, report, form, language, vehicleIds, groupIds, addresses, userIds, isPaused, every, day, minute, zone };
}
