import { z } from 'zod';
import { seesOrganization, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { sentenceOf } from '../../../shared/refusals/reason.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import {
  nextRun,
  REPORT_TURNS,
  type ReportSchedule,
  type ReportSchedules,
  type ScheduleFields,
} from '../../reporting/notify/index.ts';
import { REPORT_FILE_FORMS, REPORT_KINDS } from '../../reporting/reports/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { Refused } from '../app/common-answers.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, bodyInt, filledUpTo, instant, pathId, textUpTo } from '../request/fields.ts';

const Run = z.object({
  at: instant,
  from: instant,
  till: instant,
  mails: z.int(),
  sent: z.int().meta({ description: 'Of its mails; the others wait or were given up.' }),
  waiting: z.int(),
  failed: z.int(),
  problem: z.object({ text: z.string(), refusal: Refused }).nullable(),
});
const ScheduleAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    report: z.enum(REPORT_KINDS),
    form: z.enum(REPORT_FILE_FORMS),
    lang: z.enum(['en', 'ru']),
    every: z.enum(REPORT_TURNS),
    day: z.int(),
    minute: z.int(),
    tz: z.string(),
    cars: z.array(z.int()),
    groups: z.array(z.int()),
    addresses: z.array(z.string()),
    userIds: z.array(z.int()),
    paused: z.boolean(),
    ownerId: z.int().meta({ description: 'The report has what this user may see.' }),
    next: instant.nullable().meta({ description: 'null: it is paused.' }),
    last: Run.nullable(),
  })
  .meta({ id: 'ReportSchedule' });

const ids = z.array(bodyId).max(1_000).nullish();
const Body = z.object({
  name: filledUpTo(100),
  report: z.enum(REPORT_KINDS),
  form: z.enum(REPORT_FILE_FORMS).nullish(),
  lang: z.enum(['en', 'ru']).nullish(),
  every: z.enum(REPORT_TURNS),
  day: bodyInt(1, 31).nullish().meta({ description: 'Of the week from Monday (1), or of the month.' }),
  minute: bodyInt(0, 1_439).meta({ description: 'After midnight.' }),
  tz: textUpTo(100).nullish().meta({ description: 'IANA name; the station’s own zone when it is not given.' }),
  cars: ids,
  groups: ids,
  addresses: z.array(textUpTo(200)).max(50).nullish(),
  userIds: z.array(bodyId).max(50).nullish(),
  paused: z.boolean().nullish(),
});
const params = z.object({ id: pathId });
const common = { family: 'station', access: 'admin', group: 'Reports' } as const;
const ADDRESS = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/u;

interface ScheduleRooms {
  readonly reportSchedules: ReportSchedules;
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  now(): number;
}

/** Reports that the station sends by mail at set times. */
export function reportScheduleRoutes({ reportSchedules, fleet, tasks, now }: ScheduleRooms): DeclaredRoute[] {
  const present = (schedule: ReportSchedule): z.input<typeof ScheduleAnswer> => {
    const { id, name, report, form, language, every, day, minute, zone, last, ownerId, isPaused } = schedule;
    return {
      ...{ id, name, report, form, every, day, minute, ownerId },
      lang: language,
      tz: zone,
      cars: [...schedule.vehicleIds],
      groups: [...schedule.groupIds],
      addresses: [...schedule.addresses],
      userIds: [...schedule.userIds],
      paused: isPaused,
      next: isPaused ? null : nextRun(schedule, now()),
      last: last && {
        ...{ at: last.at, from: last.from, till: last.until, mails: last.mails },
        ...reportSchedules.mailsOf(schedule),
        problem: last.problem && { text: sentenceOf(last.problem), refusal: last.problem },
      },
    };
  };
  const fields = (by: Actor, owner: Actor, body: z.output<typeof Body>) => fieldsOf({ by, owner }, body, fleet, tasks);
  return [
    route({
      ...common,
      method: 'GET',
      path: '/reports/schedules',
      summary: 'Reports by mail',
      description: 'Of this station. A superuser sees all, other administrators those of their organisation.',
      answer: z.array(ScheduleAnswer),
      run: ({ caller }) => reportSchedules.list(caller).map(present),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/reports/schedules',
      summary: 'Send a report by mail at set times',
      description:
        'It covers the day, the 7 days or the month before, in whole days of `tz`. What was missed while the station was off goes out once, in one report that covers all of it. Who saves it becomes the owner: the report has what they may see. A superuser who changes it leaves it to its owner.',
      body: Body,
      answer: ScheduleAnswer,
      run: async ({ caller, body }) => present(await reportSchedules.create(caller, fields(caller, caller, body))),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/reports/schedules/:id',
      summary: 'Change a report by mail',
      params,
      body: Body,
      answer: ScheduleAnswer,
      run: async ({ caller, params: { id }, body }) => {
        const owner = reportSchedules.ownerAfter(caller, id);
        return present(await reportSchedules.change(caller, id, fields(caller, owner, body)));
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/reports/schedules/:id',
      summary: 'Send a report by mail no more',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => reportSchedules.remove(caller, params.id),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/reports/schedules/:id/send',
      cost: 10,
      summary: 'Send a report by mail now',
      description: 'Of the period that a run today covers. The next run stays as it is.',
      params,
      answer: ScheduleAnswer,
      run: async ({ caller, params }) => present(await reportSchedules.sendNow(caller, params.id)),
    }),
  ];
}

/** The person who saves a schedule and names its receivers, and the owner, who sees its vehicles. */
interface Savers {
  readonly by: Actor;
  readonly owner: Actor;
}

function fieldsOf({ by, owner }: Savers, body: z.output<typeof Body>, fleet: Fleet, tasks: Tasks): ScheduleFields {
  const { every, minute, report, name } = body;
  const day = every === 'day' ? 1 : (body.day ?? 1);
  if (every === 'week' && day > 7) throw new Refusal('reports.scheduleDay', { field: 'day' });
  const addresses = [...new Set((body.addresses ?? []).map((address) => address.trim()))];
  const wrong = addresses.find((address) => !ADDRESS.test(address));
  if (wrong !== undefined) throw new Refusal('reports.mailAddress', { field: 'addresses', address: wrong });
  const userIds = [...new Set(body.userIds ?? [])];
  for (const id of userIds) {
    const user = tasks.users.get(id);
    if (!user || user.isDeleted || !user.enabled || !seesOrganization(by, user.organizationId))
      throw new Refusal('field.unknown', { field: 'userIds', id });
  }
  if (addresses.length + userIds.length === 0) throw new Refusal('field.empty', { field: 'addresses' });
  const vehicleIds = [...new Set(body.cars ?? [])];
  const seen = new Set(fleet.everyVehicleSeenBy(owner).map(({ id }) => id));
  const unseen = vehicleIds.find((id) => !seen.has(id));
  if (unseen !== undefined) throw new Refusal('field.unknown', { field: 'cars', id: unseen });
  const groupIds = [...new Set(body.groups ?? [])];
  for (const id of groupIds) {
    const group = fleet.groups.mirror.get(id);
    if (!group || group.isDeleted || !seesOrganization(owner, group.organizationId))
      throw new Refusal('field.unknown', { field: 'groups', id });
  }
  return {
    ...{ name, report, every, day, minute, addresses, userIds, vehicleIds },
    form: body.form ?? 'xlsx',
    language: body.lang ?? 'en',
    zone: (body.tz ? new ZonedTime(body.tz) : ZonedTime.here()).zone,
    groupIds,
    isPaused: body.paused ?? false,
  };
}
