import { z } from 'zod';
import { ACKNOWLEDGED, AT_HOSPITAL, EN_ROUTE, ON_SCENE, PATIENT_LOADED } from '../../../shared/fleet/unit-status.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { AlarmRecord, Task } from '../../../shared/records/index.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import type { Actor } from '../../../shared/access.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { PastBoard, PastCrew, StatusTimes } from '../../reporting/past/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { AlarmItem, acceptedLanguage, presentAlarm } from '../events/alarms.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { instant, pathId, queryIds, queryInstant } from '../request/fields.ts';
import { NewsDetail, NewsUnit, presentNewsDetail, presentUnits } from '../tasks/task-presenters.ts';

interface PastBoardRooms {
  readonly past: PastBoard;
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  maySeeAlarm(by: Actor, alarm: AlarmRecord): boolean;
  nameOfUser(id: number): string;
  now(): number;
}

/** Tasks of one answer. */
const MOST = 5_000;
const number = z.number().nullable();

const PastMessage = z
  .object({
    id: z.int(),
    title: z.string(),
    date: instant,
    status: z.int(),
    statusSince: instant,
    priority: z.int(),
    typeId: z.int(),
    categoryId: z.int().nullable(),
    departmentId: z.int(),
    assignedDepartmentId: z.int().nullable(),
    assignedUserId: z.int().nullable(),
    address: z.string(),
    lat: number,
    lon: number,
    units: z.array(NewsUnit),
  })
  .meta({ id: 'PastMessage' });
const PastCar = z
  .object({
    id: z.int(),
    unitStatus: z.int().nullable(),
    unitStatusSince: instant.nullable(),
    lastUpdate: instant.nullable(),
    lat: number,
    lon: number,
    speed: number,
    direction: number,
  })
  .meta({ id: 'PastCar' });
const PastBoardAnswer = z
  .object({
    at: instant,
    messages: z.array(PastMessage),
    more: z.boolean(),
    cars: z.array(PastCar),
    alarms: z.array(AlarmItem),
    notedSince: instant,
  })
  .meta({
    id: 'PastBoard',
    description:
      'What was open, where vehicles were and which alarms stood. `more`: there were more messages than these. Null: it is not known. Statuses and alarms from before `notedSince` are known in part alone.',
  });

const LONGEST = 368 * 86_400_000;
const StatusTimesAnswer = z
  .object({
    from: instant,
    till: instant,
    notedSince: instant,
    units: z.array(z.object({ carId: z.int(), seconds: z.array(z.number()), unknown: z.number(), busy: z.number() })),
  })
  .meta({
    id: 'UnitStatusTimes',
    description:
      'Seconds of the period by the digit of the crew status, 0 to 9; `unknown` is the rest of it. `busy` is the share of the known time en route, on scene, with a patient, at hospital or acknowledged.',
  });
const BUSY: readonly number[] = [EN_ROUTE, ON_SCENE, PATIENT_LOADED, AT_HOSPITAL, ACKNOWLEDGED];

const Moment = z.object({ at: queryInstant });
const inStation = { family: 'station', access: 'user', group: 'The board as it was', method: 'GET' } as const;

/** The board as it was at a past moment. */
export function pastBoardRoutes(rooms: PastBoardRooms): DeclaredRoute[] {
  const { past, tasks, fleet, now } = rooms;
  const requirePast = (at: number) => {
    if (at > now()) throw new Refusal('field.later', { field: 'at', other: 'now' });
  };
  return [
    route({
      ...inStation,
      path: '/board',
      cost: 20,
      summary: 'The board at a past moment',
      description:
        'Open messages with their units, vehicles with crew status and position, standing alarms. Of what the caller may see today, by its rights of today; deleted messages are left out.',
      query: Moment,
      answer: PastBoardAnswer,
      run: async ({ caller, query: { at }, request }) => {
        requirePast(at);
        const vehicles = fleet.everyVehicleSeenBy(caller).filter(({ isDeleted }) => !isDeleted);
        const [open, { crews, alarms, notedSince }] = await Promise.all([
          tasks.lists.past(caller, { at, limit: MOST }),
          past.ask({ at, vehicleIds: vehicles.map(({ id }) => id) }),
        ]);
        return {
          at,
          messages: open.tasks.map((task) => presentPast(task, rooms)),
          more: open.more,
          cars: crews.map(presentCrew),
          alarms: alarms
            .filter((alarm) => rooms.maySeeAlarm(caller, alarm))
            .map((alarm) => presentAlarm(alarm, { ...rooms, now: () => at }, acceptedLanguage(request))),
          notedSince,
        };
      },
    }),
    route({
      ...inStation,
      path: '/board/news/:id',
      cost: 2,
      summary: 'A message as it was at a past moment, when it was open',
      params: z.object({ id: pathId }),
      query: Moment,
      answer: NewsDetail,
      run: async ({ caller, params: { id }, query: { at } }) => {
        requirePast(at);
        const [task] = (await tasks.lists.past(caller, { at, taskId: id, limit: 1 })).tasks;
        if (!task) throw new Refusal('tasks.missing', { id });
        return presentNewsDetail(task, tasks, fleet, at);
      },
    }),
    route({
      ...inStation,
      group: 'Statistics',
      path: '/statistics/unit-status',
      cost: 10,
      summary: 'How long crews had each status in a period',
      query: z.object({
        from: queryInstant,
        till: queryInstant,
        departments: queryIds.optional(),
        cars: queryIds.optional(),
      }),
      answer: StatusTimesAnswer,
      run: async ({ caller, query: { from, till, departments, cars } }) => {
        if (from >= till) throw new Refusal('field.notEarlier', { field: 'from', other: 'till' });
        if (till - from > LONGEST) throw new Refusal('reports.longPeriod');
        const until = Math.min(till, now());
        const asked = fleet
          .everyVehicleSeenBy(caller)
          .filter(
            ({ isDeleted, organizationId }) => !isDeleted && (!departments || departments.includes(organizationId)),
          );
        const unseen = cars?.find((id) => !asked.some((vehicle) => vehicle.id === id));
        if (unseen !== undefined) throw new Refusal('fleet.missing', { id: unseen });
        const vehicleIds = asked.map(({ id }) => id).filter((id) => !cars || cars.includes(id));
        const times = from >= until ? [] : await past.statusTimes({ from, until, vehicleIds });
        return { from, till, notedSince: past.notedSince, units: times.map((one) => presentTimes(one, until - from)) };
      },
    }),
  ];
}

function presentTimes({ vehicleId, byStatus }: StatusTimes, length: number) {
  const known = byStatus.reduce((sum, time) => sum + time, 0);
  const busy = byStatus.reduce((sum, time, digit) => sum + (BUSY.includes(digit) ? time : 0), 0);
  return {
    carId: vehicleId,
    seconds: byStatus.map((time) => time / 1000),
    unknown: (length - known) / 1000,
    busy: known === 0 ? 0 : busy / known,
  };
}

function presentPast(task: Task, { tasks, fleet }: PastBoardRooms): z.input<typeof PastMessage> {
  return {
    ...{ id: task.id, title: task.title, date: task.date, status: task.status, statusSince: task.statusSince },
    priority: priorityOf(task, tasks.categories.get(task.categoryId)),
    typeId: task.typeId,
    categoryId: task.categoryId || null,
    departmentId: task.organizationId,
    assignedDepartmentId: task.assignedOrganizationId || null,
    assignedUserId: task.assignedUserId || null,
    address: task.address,
    lat: task.point?.lat ?? null,
    lon: task.point?.lon ?? null,
    units: presentUnits(task, fleet),
  };
}

function presentCrew({ vehicleId, status, place }: PastCrew): z.input<typeof PastCar> {
  return {
    id: vehicleId,
    unitStatus: status?.digit ?? null,
    unitStatusSince: status?.since ?? null,
    lastUpdate: place?.time ?? null,
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
    speed: place?.speed ?? null,
    direction: place?.direction ?? null,
  };
}
