import { z } from 'zod';
import { REPORT_FILE_FORMS, REPORT_KINDS } from '../../reports/index.ts';
import type { FollowedSchedule } from './followed-schedules.ts';
import { REPORT_TURNS } from './run-times.ts';

const ids = z.array(z.int());
const instant = z.number();
const Run = z.object({
  at: instant,
  dueAt: instant.optional(),
  from: instant,
  until: instant,
  mails: z.int(),
  problem: z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }).nullable(),
});
const Schedule = z.object({
  uid: z.string().min(1).max(100),
  organizationId: z.int(),
  ownerId: z.int(),
  name: z.string(),
  report: z.enum(REPORT_KINDS),
  form: z.enum(REPORT_FILE_FORMS),
  language: z.enum(['en', 'ru']),
  vehicleIds: ids,
  groupIds: ids,
  addresses: z.array(z.string()),
  userIds: ids,
  isPaused: z.boolean(),
  every: z.enum(REPORT_TURNS),
  day: z.int(),
  minute: z.int(),
  zone: z.string(),
  since: instant,
  coveredUntil: instant,
  last: Run.nullable(),
});

/** The schedules of another station, as it sent them. One that this program does not know is left out. */
export function readFollowedSchedules(sent: readonly unknown[]): FollowedSchedule[] {
  return sent.flatMap((one) => {
    const { data } = Schedule.safeParse(one);
    return data ? [data as FollowedSchedule] : [];
  });
}
